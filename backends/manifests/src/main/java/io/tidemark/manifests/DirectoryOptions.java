package io.tidemark.manifests;

import java.time.Duration;

/**
 * How a {@link DirectoryNodeResourceStore} works.
 *
 * @param role of the program: one of each role may write; empty for the operator
 * @param readOnly the disk is not changed: no lock is taken, and writes succeed in memory only
 * @param pollInterval interval of scans of the directory
 * @param settleTime time between the scan that saw a change and the next one
 * @param requestTimeout timeout of one scan
 * @param fileSizeMax bytes of the largest file that is read
 */
public record DirectoryOptions(
    String role,
    boolean readOnly,
    Duration pollInterval,
    Duration settleTime,
    Duration requestTimeout,
    int fileSizeMax) {
  /** The operator's options. */
  public static final DirectoryOptions DEFAULT =
      new DirectoryOptions(
          "",
          false,
          Duration.ofMillis(200),
          Duration.ofMillis(50),
          Duration.ofSeconds(30),
          64 << 20);

  /** The same, touching nothing on the disk. */
  public DirectoryOptions withoutWriting() {
    return new DirectoryOptions(role, true, pollInterval, settleTime, requestTimeout, fileSizeMax);
  }

  /** The same for the agent of a node, which may write beside an operator and other agents. */
  public DirectoryOptions asAgentOf(String node) {
    return new DirectoryOptions(
        "agent-" + node, readOnly, pollInterval, settleTime, requestTimeout, fileSizeMax);
  }

  /** Whether other programs may write beside this one. */
  boolean isShared() {
    return !role.isEmpty();
  }
}
