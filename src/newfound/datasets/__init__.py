"""Named data sets behind one function, and the maker of partitions for experiments."""

from newfound.datasets.base import DataSet, tf_idf
from newfound.datasets.catalogue import here, load, names, title
from newfound.datasets.partition import Partition, partition
from newfound.datasets.websets import read_triples

__all__ = ["DataSet", "Partition", "here", "load", "names", "partition", "read_triples", "tf_idf", "title"]
