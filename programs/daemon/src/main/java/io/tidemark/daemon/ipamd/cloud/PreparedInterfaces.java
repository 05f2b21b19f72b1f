package io.tidemark.daemon.ipamd.cloud;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.cloud.CloudAnswer;
import io.tidemark.datastore.cloud.CloudEni;
import io.tidemark.datastore.cloud.InterfaceCloud;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A cloud whose interfaces count for pods only when the host is set up for them; until then they
 * take their places, as those of others do.
 */
public final class PreparedInterfaces implements InterfaceCloud {
  private final InterfaceCloud cloud;
  private final HostNetwork host;
  private final Consumer<List<CloudEni>> observer;

  /** Those that have come, by id; guarded by itself. */
  private final Map<String, CloudEni> here = new HashMap<>();

  /**
   * Asks {@code cloud}, and has {@code host} set up what it has.
   *
   * @param observer of each successful read, called before its caller gets the answer
   */
  public PreparedInterfaces(
      InterfaceCloud cloud, HostNetwork host, Consumer<List<CloudEni>> observer) {
    this.cloud = cloud;
    this.host = host;
    this.observer = observer;
  }

  @Override
  public CompletionStage<CloudAnswer<List<CloudEni>>> read() {
    return cloud
        .read()
        .thenCompose(
            answer ->
                answer instanceof CloudAnswer.Done<List<CloudEni>> done
                    ? prepared(done.value())
                    : CompletableFuture.completedStage(answer));
  }

  private CompletionStage<CloudAnswer<List<CloudEni>>> prepared(List<CloudEni> attached) {
    for (CloudEni gone : gone(attached)) {
      host.went(gone);
    }
    CompletionStage<List<CloudEni>> all = CompletableFuture.completedStage(List.of());
    for (CloudEni eni : attached) {
      all = all.thenCombine(prepared(eni), PreparedInterfaces::with);
    }
    return all.thenApply(
        prepared -> {
          observer.accept(prepared);
          return new CloudAnswer.Done<>(prepared);
        });
  }

  private List<CloudEni> gone(List<CloudEni> attached) {
    List<String> ids = attached.stream().map(eni -> eni.spec().id()).toList();
    synchronized (here) {
      List<CloudEni> gone =
          here.values().stream().filter(eni -> !ids.contains(eni.spec().id())).toList();
      gone.forEach(eni -> here.remove(eni.spec().id()));
      return gone;
    }
  }

  /** Being prepared while pods cannot use it, or unmanaged if they never can. */
  private CompletionStage<CloudEni> prepared(CloudEni eni) {
    if (!eni.managed()) {
      return CompletableFuture.completedStage(eni);
    }
    synchronized (here) {
      here.put(eni.spec().id(), eni);
    }
    return host.came(eni).thenApply(ready -> ready ? eni : unusable(eni));
  }

  private CloudEni unusable(CloudEni eni) {
    return host.setsUp()
        ? eni.asPreparing()
        : new CloudEni(eni.spec(), eni.card(), eni.mac(), false, eni.cidrs());
  }

  private static List<CloudEni> with(List<CloudEni> before, CloudEni next) {
    List<CloudEni> all = new ArrayList<>(before);
    all.add(next);
    return all;
  }

  /** The interface as it is after the first attempt to set the host up for it. */
  @Override
  public CompletionStage<CloudAnswer<CloudEni>> createEni(CidrKind kind, int count) {
    return cloud
        .createEni(kind, count)
        .thenCompose(
            answer ->
                answer instanceof CloudAnswer.Done<CloudEni> done
                    ? prepared(done.value()).thenApply(CloudAnswer.Done::new)
                    : CompletableFuture.completedStage(answer));
  }

  @Override
  public CompletionStage<CloudAnswer<List<Cidr>>> assign(
      String eniId, IpFamily family, CidrKind kind, int count) {
    return cloud.assign(eniId, family, kind, count);
  }

  @Override
  public CompletionStage<CloudAnswer<List<Cidr>>> unassign(
      String eniId, CidrKind kind, List<Cidr> cidrs) {
    return cloud.unassign(eniId, kind, cidrs);
  }

  @Override
  public CompletionStage<CloudAnswer<String>> removeEni(String eniId) {
    return cloud
        .removeEni(eniId)
        .thenApply(
            answer -> {
              if (answer instanceof CloudAnswer.Done<String>) {
                leave(eniId);
              }
              return answer;
            });
  }

  private void leave(String eniId) {
    CloudEni gone;
    synchronized (here) {
      gone = here.remove(eniId);
    }
    if (gone != null) {
      host.went(gone);
    }
  }
}
