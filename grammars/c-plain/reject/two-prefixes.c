int *s = L"a" u"b";
