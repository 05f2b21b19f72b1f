package io.tidemark.daemon.ipamd.cloud;

import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.Removal;
import io.tidemark.datastore.StoreRefusal;
import io.tidemark.datastore.cloud.CloudEni;
import io.tidemark.provider.aws.metadata.InstanceInterface;
import io.tidemark.resilience.CallResult;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts interfaces of the instance into the store of their card. Stateless. */
public final class StoreFilling {
  private static final Logger LOG = LoggerFactory.getLogger(StoreFilling.class);

  private StoreFilling() {}

  /**
   * Adds what the metadata of the instance show of the first card: the primary interface serves
   * pods; EC2 and the hook decide about the others.
   */
  public static void byMetadata(DataStore store, CallResult<List<InstanceInterface>> attached) {
    attached
        .match(
            found -> found,
            failure -> {
              LOG.warn("The instance's metadata show no interfaces. {}", failure.toText());
              return List.<InstanceInterface>of();
            })
        .stream()
        .filter(each -> each.card() == 0)
        .forEach(each -> add(store, Ec2Interfaces.eni(each)));
  }

  private static void add(DataStore store, CloudEni eni) {
    String id = eni.spec().id();
    tried(store.addEni(eni.spec()));
    eni.cidrs().forEach(cidr -> tried(store.addCidr(id, cidr.cidr(), cidr.kind())));
    if (!eni.spec().primary()) {
      tried(store.exclude(id, true));
    }
  }

  /** Of an interface that is not for pods the store keeps only what pods have. */
  public static void settle(DataStore store, List<CloudEni> attached) {
    for (CloudEni eni : attached) {
      String id = eni.spec().id();
      if (eni.managed()) {
        tried(store.exclude(id, false));
      } else {
        eni.cidrs().forEach(each -> tried(store.removeCidr(id, each.cidr(), Removal.UNUSED_ONLY)));
        tried(store.removeEni(id, Removal.UNUSED_ONLY));
        tried(store.exclude(id, true));
      }
    }
  }

  /** A prefix that the store does not know, or that pods use, stays as it is. */
  private static void tried(Optional<StoreRefusal> refusal) {
    refusal.ifPresent(each -> LOG.debug("Not done: {}", each.message()));
  }
}
