#import_ "a"
