class A:
  """Two columns."""

  def f(self):
    if self.x:
          return 1
    elif self.y:
      # Six.
      for a in b:
        while c:
          with d:
                  pass
          e
      g
    return 2
