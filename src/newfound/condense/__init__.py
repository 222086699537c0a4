"""The recommended learner: explore too much, then condense, and let the seeds say where to stop.

rowmap.py      rows -> a space where classes are round
metric.py      the directions that tell classes apart, as the seeds say
path.py        far too many classes, merged step by step with the seeds' labels hidden
number.py      how many classes the seeds ask for, and how surely
settling.py    the seeds are revealed, and the finest classes merge down to that number
mixture.py     the EM of every step: the one loop, on the one engine
fitting.py     all of it in order
refitting.py   once more from where the last fit stopped, under a person's decisions
calibrate.py   how sure a posterior may be
trail.py       why a class exists
selftest.py    what is found again of classes whose seeds are hidden
"""
