"""The hall: practise and rule on disputes in a browser, on this machine or in one room.

`store` keeps games in SQLite, `table` is one game with its people, `faces` show the boards of the
single games, `searches` shares the cores among those who wait for the computer, `keeper` joins
them, `hearing` rules on disputed games, `guard` refuses what does not belong here, `app` is the
web service.
"""
