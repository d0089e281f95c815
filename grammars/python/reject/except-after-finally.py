try: a
finally: b
except: c
