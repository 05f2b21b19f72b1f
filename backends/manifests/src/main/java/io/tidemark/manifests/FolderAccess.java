package io.tidemark.manifests;

/**
 * How a program works on a folder.
 *
 * @param role of the program: one of each role may write; empty for the operator
 * @param readOnly the disk is not changed: no lock is taken, and writes succeed in memory only
 */
public record FolderAccess(String role, boolean readOnly) {
  /** The operator's. */
  public static final FolderAccess OPERATOR = new FolderAccess("", false);

  /** The same, touching nothing on the disk. */
  public FolderAccess withoutWriting() {
    return new FolderAccess(role, true);
  }

  /** That of the agent of a node, which may write beside an operator and other agents. */
  public static FolderAccess ofAgent(String node) {
    return new FolderAccess("agent-" + node, false);
  }

  /** Whether other programs may write beside this one. */
  boolean isShared() {
    return !role.isEmpty();
  }
}
