"""Interfaces of other packages: a program that uses one of them runs on this one after a change of its imports."""
