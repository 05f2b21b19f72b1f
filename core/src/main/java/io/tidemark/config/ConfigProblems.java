package io.tidemark.config;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import java.util.ArrayList;
import java.util.List;

/** Collects problems, to report them together. Used by one thread, at start. */
public final class ConfigProblems {
  private final List<ConfigProblem> found = new ArrayList<>();

  /** Adds a problem. */
  public void add(ConfigProblem problem) {
    found.add(problem);
  }

  /** Adds a problem: the value of {@code key} in {@code source} is not accepted. */
  public void invalid(ConfigSource source, String key, String expected) {
    String value = source.value(key).orElse("");
    add(
        new ConfigProblem(
            CoreError.CONFIG_INVALID_VALUE,
            key,
            shown(source, key),
            source.origin(key),
            value.isEmpty() ? "is empty" : "is not accepted",
            "Expected: " + expected + "."));
  }

  /** Adds a problem: the values of {@code key} and {@code other} contradict each other. */
  public void contradiction(ConfigSource source, String key, String other, String why) {
    add(
        new ConfigProblem(
            CoreError.CONFIG_CONTRADICTION,
            key,
            shown(source, key),
            source.value(key).isPresent() ? source.origin(key) : source.origin(other),
            "contradicts " + given(source, other) + ": " + why,
            CoreError.CONFIG_CONTRADICTION.remedy()));
  }

  private static String shown(ConfigSource source, String key) {
    return source.isSecret(key) ? "" : source.value(key).orElse("");
  }

  private static String given(ConfigSource source, String key) {
    String value = shown(source, key);
    return value.isEmpty() ? key : key + "=" + value;
  }

  /** Adds the problems that {@code refused} lists; whether it lists any. */
  public boolean addAll(IpamException refused) {
    if (!(refused.getCause() instanceof Listed listed)) {
      return false;
    }
    listed.problems.stream().filter(each -> !found.contains(each)).forEach(found::add);
    return true;
  }

  /** All problems so far, in the order in which they were added. */
  public List<ConfigProblem> found() {
    return List.copyOf(found);
  }

  /**
   * Ends the reading of settings.
   *
   * @throws IpamException {@link CoreError#CONFIG_REFUSED} listing every problem, when there is one
   */
  public void throwIfAny() {
    if (found.isEmpty()) {
      return;
    }
    StringBuilder lines = new StringBuilder();
    lines.append(found.size()).append(found.size() == 1 ? " problem" : " problems");
    for (ConfigProblem each : found) {
      lines.append("\n  ").append(each);
    }
    throw new IpamException(CoreError.CONFIG_REFUSED, lines.toString(), new Listed(found()));
  }

  /** The problems of a refusal, one each. */
  private static final class Listed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;

    Listed(List<ConfigProblem> problems) {
      super("settings are refused", null, false, false);
      this.problems = problems;
    }
  }
}
