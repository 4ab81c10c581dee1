-- the system
os.execute("true")
