"""What people have, as rows that the learners take."""
