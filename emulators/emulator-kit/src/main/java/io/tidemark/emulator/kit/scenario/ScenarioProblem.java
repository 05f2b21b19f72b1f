package io.tidemark.emulator.kit.scenario;

/**
 * A problem of a scenario.
 *
 * @param where file and line
 * @param path inside the file, such as {@code vpcs[0].cidr}; empty for the whole
 * @param problem what is wrong, with the offending value
 * @param remedy what a person can do
 */
public record ScenarioProblem(String where, String path, String problem, String remedy) {

  @Override
  public String toString() {
    return where + ": " + (path.isEmpty() ? "" : path + " ") + problem + ". " + remedy;
  }
}
