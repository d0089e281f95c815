(f)()
local a