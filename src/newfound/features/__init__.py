"""What people have, as rows that the learners take.

lines.py     bytes -> lines of text
cells.py     values -> cells of text, arrow columns
tables.py    a frame, and its columns as texts, labels, ids
reading.py   files -> tables
writing.py   tables -> files
vectors.py   columns of lists, .npy, .npz -> a matrix
embed.py     texts -> embeddings
"""
