"""The paper's tables and figures, and what settles the details that it leaves open."""
