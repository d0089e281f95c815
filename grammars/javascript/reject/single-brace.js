a = /b{/u
