package io.tidemark.cluster;

/**
 * A named thing that one node holds, such as a node id. Immutable.
 *
 * @param name of the claim, unique
 * @param uid of this claim; a later one of the same name has another
 * @param version opaque; each change makes another
 * @param holder the name of the node that holds it; empty text when none is written
 * @param holderUid of the incarnation of the node; empty text when none is written
 */
public record Claim(String name, String uid, String version, String holder, String holderUid) {
  public Claim {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a claim has no name");
    }
  }

  /** Whether it is held by this incarnation of a node. */
  public boolean isHeldBy(String node, String nodeUid) {
    return holder.equals(node) && holderUid.equals(nodeUid);
  }

  /** Whether everything but the version is equal. */
  public boolean isSameAs(Claim other) {
    return withVersion(other.version).equals(other);
  }

  public Claim withVersion(String changed) {
    return new Claim(name, uid, changed, holder, holderUid);
  }

  public Claim withHolder(String changed, String changedUid) {
    return new Claim(name, uid, version, changed, changedUid);
  }
}
