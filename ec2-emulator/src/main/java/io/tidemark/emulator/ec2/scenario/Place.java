package io.tidemark.emulator.ec2.scenario;

/**
 * Where a part of a scenario stands.
 *
 * @param where file and line
 * @param path inside the file
 */
record Place(String where, String path) {
  ScenarioProblem problem(String problem, String remedy) {
    return new ScenarioProblem(where, path, problem, remedy);
  }
}
