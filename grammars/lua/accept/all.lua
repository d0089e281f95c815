#!/usr/bin/lua
-- a comment
--[[ a long
comment ]] --[==[ another ]] ]==] local x <const>, y = 1, 0x1.8p3
h()
local function f(a, ...) return ... end
function a.b.c:d(x) self.n = x; return end
for i = 1, 10, 2 do if i > 3 then break elseif not i then goto done else f{1, x = 2; [3] = "a\z
    b", f'c',} end end
for k, v in pairs(t) do t[k], t.x.y = v, #t - -1 .. "s" end
while true do repeat local z = ~5 // 2 ~ 3 until z >= 1 and z ~= 2 or nil end
do ::done:: end
a:b"x":c[[y]].d[1] = function(...) end
;(f or g)(1)
return [==[a]]b]==], 'its', 3.
