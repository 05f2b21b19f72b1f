package io.tidemark.datastore.cloud;

import io.tidemark.datastore.CloudPart;
import io.tidemark.datastore.PoolView;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.cloud.CloudEni.CloudCidr;
import io.tidemark.ip.Cidr;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The differences between a store and an answer of the cloud. Pure: it changes neither the store
 * nor the history.
 *
 * <p>What is missing in the answer is unused, and then it goes, or pods use it, and then it stays
 * until a second answer says the same. What is on another interface now goes at once.
 *
 * @param newEnis interfaces to add, with what they have
 * @param newCidrs more of interfaces that the store has
 * @param unused missing, and no pod uses it
 * @param lost missing for the second time, or elsewhere, and pods use it
 * @param missing all that is missing and that pods use
 */
record CloudComparison(
    List<CloudEni> newEnis,
    List<NewCidr> newCidrs,
    List<CloudPart> unused,
    List<CloudPart> lost,
    Set<CloudPart> missing) {
  record NewCidr(String eniId, CloudCidr cidr) {}

  /**
   * Compares the store of a card.
   *
   * @param cloud the interfaces of that card
   * @param asked when the read began
   */
  static CloudComparison of(
      PoolView view, List<CloudEni> cloud, ReadLagHistory history, long asked) {
    CloudComparison found =
        new CloudComparison(
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new HashSet<>());
    Map<String, CloudEni> there =
        cloud.stream()
            .collect(Collectors.toMap(eni -> eni.spec().id(), Function.identity(), (a, b) -> a));
    Map<String, EniView> here =
        view.enis().stream().collect(Collectors.toMap(eni -> eni.spec().id(), Function.identity()));
    for (EniView eni : view.enis()) {
      CloudEni same = there.get(eni.spec().id());
      if (same == null) {
        found.missing(CloudPart.eni(eni.spec().id()), eni.inUse() > 0, false, history, asked);
      }
      for (CidrView each : eni.cidrs()) {
        boolean isHere = same != null && shows(same, each.cidr());
        boolean moved = !isHere && cloud.stream().anyMatch(it -> shows(it, each.cidr()));
        if (moved || (same != null && !isHere)) {
          CloudPart part = CloudPart.of(eni.spec().id(), each.cidr());
          found.missing(part, each.inUse() > 0, moved, history, asked);
        }
      }
    }
    for (CloudEni eni : cloud) {
      EniView same = here.get(eni.spec().id());
      if (eni.managed()) {
        found.newOf(eni, same, history, asked);
      }
    }
    return found;
  }

  private static boolean shows(CloudEni eni, Cidr cidr) {
    return eni.cidrs().stream().anyMatch(each -> each.cidr().equals(cidr));
  }

  /**
   * A part is not where the store has it.
   *
   * @param moved the answer shows it elsewhere, which needs no second one
   */
  private void missing(
      CloudPart part, boolean inUse, boolean moved, ReadLagHistory history, long asked) {
    if (!history.isKnown(part, asked)) {
      return;
    }
    if (!inUse) {
      unused.add(part);
      return;
    }
    missing.add(part);
    if (moved || history.wasMissing(part, asked)) {
      lost.add(part);
    }
  }

  private void newOf(CloudEni eni, @Nullable EniView here, ReadLagHistory history, long asked) {
    String id = eni.spec().id();
    if (!history.mayBeHere(CloudPart.eni(id), asked)) {
      return;
    }
    Set<Cidr> known =
        here == null
            ? Set.of()
            : here.cidrs().stream().map(CidrView::cidr).collect(Collectors.toSet());
    List<CloudCidr> more =
        eni.cidrs().stream()
            .filter(each -> !known.contains(each.cidr()))
            .filter(each -> history.mayBeHere(CloudPart.of(id, each.cidr()), asked))
            .toList();
    if (here == null) {
      newEnis.add(new CloudEni(eni.spec(), eni.card(), eni.mac(), true, more));
    } else {
      more.forEach(each -> newCidrs.add(new NewCidr(id, each)));
    }
  }
}
