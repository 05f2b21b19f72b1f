package io.tidemark.node.exhaustion;

/**
 * How many nodes of a group are tainted. On the word of the cloud's readings alone at most a
 * quarter is: one of two or three nodes, and none that is alone.
 *
 * @param nodes all of the group
 * @param tainted of them, for whatever reason
 */
record GroupShare(int nodes, int tainted) {
  static final GroupShare NONE = new GroupShare(0, 0);

  private static final int PART = 4;

  GroupShare plus(int moreNodes, int moreTainted) {
    return new GroupShare(nodes + moreNodes, tainted + moreTainted);
  }

  /** Whether one more may be tainted. */
  boolean hasRoom() {
    return tainted < allowed();
  }

  /** Whether more are tainted than may be. */
  boolean isOver() {
    return tainted > allowed();
  }

  private int allowed() {
    return nodes < 2 ? 0 : Math.max(1, nodes / PART);
  }
}
