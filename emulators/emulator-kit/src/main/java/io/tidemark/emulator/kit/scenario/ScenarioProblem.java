package io.tidemark.emulator.kit.scenario;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A problem of a scenario.
 *
 * @param where file and line
 * @param path inside the file, such as {@code vpcs[0].cidr}; empty for the whole
 * @param problem what is wrong, with the offending value
 * @param remedy what a person can do
 */
public record ScenarioProblem(String where, String path, String problem, String remedy) {
  /** The error for problems of a scenario, one per line. */
  public static IpamException refusal(List<ScenarioProblem> problems) {
    String lines =
        problems.stream().map(problem -> "  " + problem).collect(Collectors.joining("\n"));
    return new IpamException(CoreError.SCENARIO_REFUSED, "\n" + lines);
  }

  @Override
  public String toString() {
    return where + ": " + (path.isEmpty() ? "" : path + " ") + problem + ". " + remedy;
  }
}
