import a;
class B {}
