package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.network.ArmNic;
import io.tidemark.emulator.arm.network.ArmPublicAddress;
import io.tidemark.emulator.arm.network.ArmSubnet;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** The reads of network interfaces and their IP configurations. Not thread-safe. */
record InterfaceReads(World world, Reads reads) {
  /**
   * The interfaces of a subscription or of a group; those of Uniform instances belong to the
   * compute provider.
   */
  ArmReply interfaces(ArmRequest request, ArmId path) {
    String scope = path.scopeOfList();
    return reads.page(
        request,
        world.nics.values().stream().filter(each -> !each.isUniform() && each.id().isWithin(scope)),
        each -> reads.shown(each, each.state(), request));
  }

  ArmReply networkInterface(ArmRequest request, ArmId path) {
    ArmNic nic = reads.found(world.nics, path);
    return ArmReply.of(
            200, () -> expanded(reads.shown(nic, nic.state(), request), request.expand()))
        .with("ETag", nic.state().etag());
  }

  ArmReply configurations(ArmRequest request, ArmId path) {
    return reads.page(request, configurationsOf(request, path.owner()).stream(), each -> each);
  }

  ArmReply configuration(ArmRequest request, ArmId path) {
    return ArmReply.of(
        200,
        configurationsOf(request, path.parent()).stream()
            .filter(each -> each.text("name").filter(path.name()::equalsIgnoreCase).isPresent())
            .findFirst()
            .orElseThrow(() -> reads.missing(path, "NotFound")));
  }

  private List<Document> configurationsOf(ArmRequest request, ArmId id) {
    ArmNic nic = reads.found(world.nics, id);
    return reads.shown(nic, nic.state(), request).object("properties").objects("ipConfigurations");
  }

  /** A set without instances is answered as one that does not exist. */
  ArmReply interfacesOfSet(ArmRequest request, ArmId path, Instant now) {
    ArmId set = path.owner();
    boolean populated =
        world.machines.keySet().stream().anyMatch(each -> each.isWithin(set.text()));
    if (!world.sets.containsKey(set) || !populated) {
      throw reads.missing(set, "NotFound");
    }
    return listed(
        request,
        world.nics.values().stream()
            .filter(each -> each.isUniform() && each.id().isWithin(set.text()))
            .toList(),
        now);
  }

  ArmReply interfacesOfInstance(ArmRequest request, ArmId path, Instant now) {
    List<ArmId> attached = reads.found(world.machines, path.owner()).nics;
    return listed(request, attached.stream().map(id -> reads.found(world.nics, id)).toList(), now);
  }

  private ArmReply listed(ArmRequest request, List<ArmNic> all, Instant now) {
    List<Supplier<Document>> shown = new ArrayList<>();
    for (ArmNic each : all) {
      world
          .listed(each, now)
          .ifPresent(state -> shown.add(() -> reads.shown(each, state, request)));
    }
    return reads.page(request, shown.stream(), Supplier::get);
  }

  /** An interface with the resources that its configurations refer to, as far as asked for. */
  private Document expanded(Document nic, Set<String> expand) {
    return expand.isEmpty() ? nic : nic.withEach("ipConfigurations", each -> whole(each, expand));
  }

  private Document whole(Document configuration, Set<String> expand) {
    return whole(
        whole(
            configuration,
            "publicIPAddress",
            world.publics.addresses(),
            ArmPublicAddress::document,
            expand),
        "subnet",
        world.subnets,
        ArmSubnet::document,
        expand);
  }

  private static <T> Document whole(
      Document configuration,
      String key,
      Map<ArmId, T> all,
      Function<T, Document> shown,
      Set<String> expand) {
    return expand.contains("ipconfigurations/" + key.toLowerCase(Locale.ROOT))
        ? Reads.referred(configuration.object("properties").object(key), all)
            .map(each -> configuration.withProperty(key, shown.apply(each)))
            .orElse(configuration)
        : configuration;
  }
}
