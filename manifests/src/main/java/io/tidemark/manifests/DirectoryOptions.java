package io.tidemark.manifests;

import java.time.Duration;
import java.util.Objects;

/**
 * How a {@link DirectoryNodeResourceStore} works.
 *
 * @param role of the program: one of each role may write; empty for the operator
 * @param readOnly the disk is not changed: no lock is taken, and writes succeed in memory only
 * @param pollInterval interval of scans of the directory
 * @param settleTime how long a changed file must be unchanged until its content counts
 * @param writeBehind how long a write to a file of several objects is delayed for others
 * @param requestTimeout timeout of one scan or one replacement
 * @param flushTimeout timeout of {@link DirectoryNodeResourceStore#flush}
 * @param fileSizeMax bytes of the largest file that is read
 */
public record DirectoryOptions(
    String role,
    boolean readOnly,
    Duration pollInterval,
    Duration settleTime,
    Duration writeBehind,
    Duration requestTimeout,
    Duration flushTimeout,
    int fileSizeMax) {
  private static final String OPERATOR = "";

  /** The operator's options. */
  public static final DirectoryOptions DEFAULT =
      new DirectoryOptions(
          OPERATOR,
          false,
          Duration.ofMillis(200),
          Duration.ofMillis(50),
          Duration.ofMillis(100),
          Duration.ofSeconds(30),
          Duration.ofSeconds(5),
          64 << 20);

  public DirectoryOptions {
    positive(pollInterval, "poll-interval");
    positive(settleTime, "settle-time");
    positive(writeBehind, "write-behind");
    positive(requestTimeout, "request-timeout");
    positive(flushTimeout, "flush-timeout");
    if (fileSizeMax < 1) {
      throw new IllegalArgumentException(
          "file-size-max is " + fileSizeMax + "; expected 1 or more");
    }
  }

  /** The same, touching nothing on the disk. */
  public DirectoryOptions withoutWriting() {
    return new DirectoryOptions(
        role,
        true,
        pollInterval,
        settleTime,
        writeBehind,
        requestTimeout,
        flushTimeout,
        fileSizeMax);
  }

  /** The same for the agent of a node, which may write beside an operator and other agents. */
  public DirectoryOptions asAgentOf(String node) {
    return new DirectoryOptions(
        "agent-" + node,
        readOnly,
        pollInterval,
        settleTime,
        writeBehind,
        requestTimeout,
        flushTimeout,
        fileSizeMax);
  }

  /** Whether other programs may write beside this one. */
  boolean isShared() {
    return !role.equals(OPERATOR);
  }

  private static void positive(Duration value, String key) {
    Objects.requireNonNull(value, key);
    if (value.isZero() || value.isNegative()) {
      throw new IllegalArgumentException(key + " is " + value + "; expected more than zero");
    }
  }
}
