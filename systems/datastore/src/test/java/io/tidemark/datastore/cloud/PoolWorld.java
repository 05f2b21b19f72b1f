package io.tidemark.datastore.cloud;

import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.WarmTargets;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.time.VirtualTime;
import java.util.List;
import java.util.Set;

/** A node in virtual time and the cloud that it is in, over crashes of the node's program. */
public interface PoolWorld {
  VirtualTime time();

  // ---- the program that runs now

  DataStore store();

  PoolReconciler loop();

  /** Whether pods that have no address can get one. */
  default boolean serves() {
    return true;
  }

  /** Whether the primary interface serves pods from the first read on. */
  default boolean servesPrimary() {
    return true;
  }

  /** How it calls the cloud. */
  CheckedCloud client();

  // ---- its settings

  CooldownRule cooldown();

  WarmTargets warm();

  /** The limits of the instance, without the share of others. */
  PoolLimits limits();

  // ---- the cloud as it is

  /** Ids of the attached interfaces that pods may get addresses of. */
  Set<String> interfaces();

  /** The CIDRs from which pods may get addresses. */
  Set<Cidr> attached();

  /** Whether the host is set up for the interface of an address that is attached. */
  default boolean isSetUp(IpAddress address) {
    return true;
  }

  /** How many attached interfaces are of others. */
  int unmanaged();

  /** Whether the instance has all that it can have. */
  boolean isFull();

  /** Changes that the node has made, for people. */
  List<String> changes();

  /** The CIDRs that others have added, removed or moved. */
  Set<Cidr> touchedByOthers();

  /** Whether others change anything in this world. */
  boolean hasOthers();
}
