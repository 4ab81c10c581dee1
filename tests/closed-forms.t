#once
# ---- the model's queues beside their replay, on the stores of algorithms

#long
$ BUILD="$B" "$SRC/tests/closed-forms" --small jacobi sssp als
trace,queue,replay_B,model_B,error
jacobi,gps,116736,116736,+0.0%
jacobi,finepack,102912,102810,-0.1%
jacobi,plain,116736,116736,+0.0%
sssp,gps,452690,452678,-0.0%
sssp,finepack,452690,452688,-0.0%
sssp,plain,452690,452688,-0.0%
als,gps,1867776,1936758,+3.7%
als,finepack,2998770,3185790,+6.2%
als,plain,11010048,11010048,+0.0%
