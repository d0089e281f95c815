call([{ a = 1 }]);
