"""Every numba function: arrays in, arrays out.

A kernel reads rows as ``(indptr, indices, data, scale)``: row ``i`` holds the values
``data[indptr[i]:indptr[i + 1]] * scale[i]``, in the columns ``indices[...]``. Dense rows are the
same with ``indices=None``, and numba compiles the branch away, so each algorithm stands here once.

    rows.py      what a row weighs, and what is wrong with it
    vector.py    the one loop that is written for the processor: values times table rows
    scan.py      E-step: scores, best class, evidence, divergence
    collect.py   M-step: sums of rows by class, and the tables made from them
    nearest.py   the nearest of many rows
"""
