package io.tidemark.it.benchmark;

import io.tidemark.datastore.AssignOutcome;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;

/** The interfaces and pods of the node whose store a benchmark measures. */
public final class NodeStores {
  private static final Cidr ALL = Cidr.parse("10.0.0.0/8");
  private static final int PER_PREFIX = 16;

  private NodeStores() {}

  /** Adds so many interfaces with so many addresses or prefixes each. */
  public static void addInterfaces(DataStore store, CidrKind kind, int interfaces, int perEni) {
    for (int eni = 0; eni < interfaces; eni++) {
      String id = "eni-" + eni;
      require(
          store.addEni(
              new StoreEniSpec(
                  id, eni, eni == 0, false, false, StoreEniSpec.routeTable(0, eni), "subnet-1")));
      for (int i = 0; i < perEni; i++) {
        long at = (long) eni * perEni + i;
        Cidr cidr =
            kind == CidrKind.PREFIX
                ? Cidr.of(ALL.address(at * PER_PREFIX), 28)
                : Cidr.single(ALL.address(at));
        require(store.addCidr(id, cidr, kind));
      }
    }
  }

  private static void require(Object refusal) {
    if (!refusal.toString().equals("Optional.empty")) {
      throw new IllegalStateException(refusal.toString());
    }
  }

  /** The key of a pod. */
  public static IpamKey key(int pod) {
    return new IpamKey("aws-cni", "container-" + pod, "eth0");
  }

  /** The notes about a pod. */
  public static IpamMetadata metadata(int pod) {
    return new IpamMetadata("default", "pod-" + pod, 1);
  }

  /** Assigns an address to each of the pods from {@code first} to before {@code end}. */
  public static void fill(DataStore store, int first, int end) {
    for (int pod = first; pod < end; pod++) {
      AssignOutcome outcome =
          store.assign(key(pod), metadata(pod), IpFamily.IPV4).toCompletableFuture().join();
      if (!(outcome instanceof AssignOutcome.Granted)) {
        throw new IllegalStateException(outcome.toString());
      }
    }
  }
}
