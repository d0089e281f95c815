int x = returned return;
