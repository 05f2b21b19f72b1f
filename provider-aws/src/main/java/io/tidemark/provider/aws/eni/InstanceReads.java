package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.provider.kit.ReadMark;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** The interfaces of one instance, by EC2 and by the changes since. Thread-safe. */
final class InstanceReads {
  private final EniAccount account;
  private final InstanceId instance;
  private final InstanceCreation creation;
  private final InstanceLeftovers leftovers;

  InstanceReads(
      EniAccount account,
      InstanceId instance,
      InstanceCreation creation,
      InstanceLeftovers leftovers) {
    this.account = account;
    this.instance = instance;
    this.creation = creation;
    this.leftovers = leftovers;
  }

  /** The attached interfaces, by card and device; sees to marks and to what was left behind. */
  CompletionStage<CallResult<List<InstanceInterface>>> read(CallContext context) {
    ReadMark mark = account.inventory.beginRead();
    return account
        .ec2
        .interfaces(new InterfaceQuery.OfInstances(Set.of(instance)), context)
        .thenApply(result -> result.flatMap(found -> taken(mark, found)));
  }

  private CallResult<List<InstanceInterface>> taken(
      ReadMark mark, List<AwsNetworkInterface> found) {
    List<AwsEni> attached = new ArrayList<>();
    Set<String> adapters = new HashSet<>();
    for (AwsNetworkInterface each : found) {
      each.attachment()
          .filter(at -> at.instance().filter(instance::equals).isPresent())
          .filter(at -> !at.status().equals("detaching") && !at.status().equals("detached"))
          .ifPresent(at -> attached.add(AwsEni.of(each, at)));
      if (each.type().startsWith("efa")) {
        adapters.add(each.id().text());
      }
    }
    if (AwsEni.primaryOf(attached).isEmpty()) {
      return new CallResult.Failed<>(
          Failure.of(
              Failure.Kind.TRANSIENT,
              "notAttached",
              "EC2 shows no interface at device 0 of " + instance));
    }
    attached.sort(Comparator.comparing(AwsEni::id));
    List<AwsEni> before = known();
    boolean settled = account.inventory.accept(mark, instance, attached);
    creation.repairMarks(settled);
    if (before.stream().anyMatch(this::hasLeft)) {
      leftovers.suspect();
    }
    leftovers.check();
    return new CallResult.Answered<>(
        known().stream()
            .sorted(
                Comparator.comparing((AwsEni eni) -> eni.place().card())
                    .thenComparing(AwsEni::index))
            .map(
                eni ->
                    InstanceInterface.of(
                        eni, InstanceTags.managed(eni), adapters.contains(eni.id().text())))
            .toList());
  }

  private boolean hasLeft(AwsEni before) {
    return InstanceTags.created(before, instance) && find(before.id().text()).isEmpty();
  }

  /** Interfaces by id; none before the first read. */
  List<AwsEni> known() {
    return account.inventory.find(instance).map(view -> view.interfaces()).orElse(List.of());
  }

  Optional<AwsEni> find(String id) {
    return known().stream().filter(eni -> eni.id().text().equals(id)).findFirst();
  }
}
