try: a
except A: b
except* B: c
