package io.tidemark.emulator.kit.scenario;

/**
 * Where a part of a scenario stands.
 *
 * @param where file and line
 * @param path inside the file
 */
public record Place(String where, String path) {
  public ScenarioProblem problem(String problem, String remedy) {
    return new ScenarioProblem(where, path, problem, remedy);
  }
}
