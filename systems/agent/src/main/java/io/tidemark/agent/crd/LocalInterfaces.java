package io.tidemark.agent.crd;

/**
 * Which network interfaces this machine has: the object may list one that is being attached, or one
 * of an earlier instance. Called outside every lock; may read files.
 */
@FunctionalInterface
public interface LocalInterfaces {
  /** Every interface is here. */
  LocalInterfaces ALL = (id, mac) -> true;

  /**
   * Whether an interface is here.
   *
   * @param id the cloud's name of it
   * @param mac empty when not known
   */
  boolean present(String id, String mac);
}
