a = /^(?:(a|b(c(d)))+|[a-z\/\]\w-]{2,}?)$/giu;
b = /(?<name>x)\k<name>|(?<!y)z|{}]/dsy;
c = a / b / /[/]/.exec(d).length;
