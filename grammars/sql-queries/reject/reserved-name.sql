select a from window
