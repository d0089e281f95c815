from .a. import b
