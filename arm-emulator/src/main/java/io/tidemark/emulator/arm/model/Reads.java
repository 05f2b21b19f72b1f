package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.network.Nic;
import io.tidemark.emulator.arm.network.Subnet;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.request.Refusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The requests that change nothing. Not thread-safe. */
final class Reads {
  private static final String SET_VM = "Microsoft.Compute/virtualMachineScaleSets/virtualMachines";

  private final World world;
  private final ModelOptions options;

  Reads(World world, ModelOptions options) {
    this.world = world;
    this.options = options;
  }

  ArmReply networks(ArmRequest request, ArmId path) {
    List<Supplier<Document>> found = new ArrayList<>();
    world
        .networks()
        .forEach(
            (id, location) -> {
              if (id.subscription().equalsIgnoreCase(path.subscription())) {
                List<Document> subnets = subnetsOf(id).stream().map(Subnet::document).toList();
                found.add(
                    () ->
                        Document.of("name", id.name())
                            .with("id", id.text())
                            .with("type", "Microsoft.Network/virtualNetworks")
                            .with("location", location)
                            .with(
                                "properties",
                                Document.of("subnets", subnets)
                                    .with("provisioningState", "Succeeded")));
              }
            });
    return page(request, found);
  }

  private List<Subnet> subnetsOf(ArmId network) {
    return world.subnets().values().stream()
        .filter(each -> each.id().isWithin(network.text()))
        .toList();
  }

  ArmReply subnet(ArmId path) {
    if (!world.networks().containsKey(path.parent())) {
      throw missing(path.parent(), "ResourceNotFound");
    }
    Subnet subnet = found(world.subnets(), path);
    return ArmReply.of(200, subnet::document);
  }

  ArmReply usages(ArmRequest request, ArmId path) {
    ArmId network = path.owner();
    if (!world.networks().containsKey(network)) {
      throw missing(network, "ResourceNotFound");
    }
    return page(
        request, subnetsOf(network).stream().<Supplier<Document>>map(each -> each::usage).toList());
  }

  /** The interfaces of a group; those of Uniform instances belong to the compute provider. */
  ArmReply interfaces(ArmRequest request, ArmId path) {
    String group = path.group();
    List<Supplier<Document>> found = new ArrayList<>();
    for (Nic each : world.nics().values()) {
      if (!each.isUniform() && each.id().isWithin(group)) {
        found.add(shown(each, each.state(), request));
      }
    }
    return page(request, found);
  }

  ArmReply networkInterface(ArmRequest request, ArmId path) {
    Nic nic = found(world.nics(), path);
    return ArmReply.of(200, shown(nic, nic.state(), request));
  }

  ArmReply scaleSets(ArmRequest request, ArmId path) {
    String group = path.group();
    return page(
        request,
        world.sets().values().stream()
            .filter(each -> each.id().isWithin(group))
            .<Supplier<Document>>map(each -> each::document)
            .toList());
  }

  /** A set without instances is answered as one that does not exist. */
  ArmReply interfacesOfSet(ArmRequest request, ArmId path, Instant now) {
    ArmId set = path.owner();
    boolean populated =
        world.machines().keySet().stream().anyMatch(each -> each.isWithin(set.text()));
    if (!world.sets().containsKey(set) || !populated) {
      throw missing(set, "NotFound");
    }
    return page(request, shownWithin(set, request, now));
  }

  ArmReply interfacesOfInstance(ArmRequest request, ArmId path, Instant now) {
    ArmId machine = path.owner();
    List<ArmId> attached = found(world.machines(), machine).nics();
    return page(
        request,
        shown(attached.stream().map(id -> found(world.nics(), id)).toList(), request, now));
  }

  private List<Supplier<Document>> shownWithin(ArmId set, ArmRequest request, Instant now) {
    return shown(
        world.nics().values().stream()
            .filter(each -> each.isUniform() && each.id().isWithin(set.text()))
            .toList(),
        request,
        now);
  }

  private List<Supplier<Document>> shown(List<Nic> all, ArmRequest request, Instant now) {
    List<Supplier<Document>> shown = new ArrayList<>();
    for (Nic each : all) {
      world.listed(each, now).ifPresent(state -> shown.add(shown(each, state, request)));
    }
    return shown;
  }

  ArmReply machine(ArmRequest request, ArmId path) {
    boolean view = "instanceView".equalsIgnoreCase(request.query().getOrDefault("$expand", ""));
    Machine machine = found(world.machines(), path);
    return ArmReply.of(200, () -> machine.document(view, request.apiVersion()));
  }

  ArmReply publicPrefixes(ArmRequest request, ArmId path) {
    String group = path.group();
    return page(
        request,
        world.publics().prefixes().values().stream()
            .filter(each -> each.id().isWithin(group))
            .<Supplier<Document>>map(each -> each::document)
            .toList());
  }

  ArmReply publicAddress(ArmId path) {
    return ArmReply.of(200, found(world.publics().addresses(), path).document());
  }

  /** The public addresses of a configuration of a Uniform instance's interface. */
  ArmReply publicAddressesOf(ArmRequest request, ArmId path) {
    ArmId configuration = path.owner();
    boolean known =
        found(world.nics(), configuration.parent()).state().configurations().stream()
            .anyMatch(each -> each.name().equalsIgnoreCase(configuration.name()));
    if (!known) {
      throw missing(configuration, "NotFound");
    }
    return page(
        request,
        world.publics().addresses().values().stream()
            .filter(each -> each.id().isWithin(configuration.text()))
            .<Supplier<Document>>map(each -> each::document)
            .toList());
  }

  /** The resource of an operation that is over. */
  ArmReply resource(ArmRequest request, ArmId resource) {
    if (world.publics().addresses().containsKey(resource)) {
      return publicAddress(resource);
    }
    return world.nics().containsKey(resource)
        ? networkInterface(request, resource)
        : machine(request, resource);
  }

  /** Refuses a scope whose subscription or group there is not. */
  void requireScope(ArmId scope) {
    boolean known =
        scope.subscription().isEmpty()
            || (world.hasSubscription(scope)
                && (scope.name("resourceGroups").isEmpty() || world.hasGroup(scope)));
    if (!known) {
      throw missing(scope, "ResourceNotFound");
    }
  }

  <T> T found(Map<ArmId, T> all, ArmId path) {
    @Nullable T found = all.get(path);
    if (found == null) {
      throw missing(path, "ResourceNotFound");
    }
    return found;
  }

  private Refusal missing(ArmId id, String code) {
    if (!world.hasSubscription(id)) {
      return Refusal.of(
          404,
          "SubscriptionNotFound",
          "The subscription '" + id.subscription() + "' could not be found.");
    }
    Optional<String> group = id.name("resourceGroups");
    if (!world.hasGroup(id)) {
      return Refusal.of(
          404,
          "ResourceGroupNotFound",
          "Resource group '" + group.orElse("") + "' could not be found.");
    }
    boolean numbered = id.name().matches("[0-9]+");
    if (id.type().equalsIgnoreCase(SET_VM) && !numbered && world.sets().containsKey(id.parent())) {
      return Refusal.of(
          400, "InvalidParameter", "Virtual Machine Scale Set VM instanceId must be a number.");
    }
    boolean orphan =
        id.name("virtualMachineScaleSets").isPresent()
            && world.sets().keySet().stream().noneMatch(each -> id.isWithin(each.text()));
    return orphan && !code.equals("NotFound")
        ? Refusal.of(
            404,
            "ParentResourceNotFound",
            "Failed to perform the operation on " + id + ": the parent resource is not found.")
        : Refusal.of(404, code, "The resource '" + id + "' was not found.");
  }

  private Supplier<Document> shown(Nic nic, Nic.State state, ArmRequest request) {
    return () ->
        nic.document(state, options.blockForm(), InterfaceWrites.knowsBlocks(request.apiVersion()));
  }

  /** The page of a list that is asked for. */
  ArmReply page(ArmRequest request, List<Supplier<Document>> all) {
    int from = number(request.query().getOrDefault("$skiptoken", "0"));
    int to = Math.min(all.size(), from + options.pageSize());
    List<Supplier<Document>> those = all.subList(Math.min(from, to), to);
    return ArmReply.of(
        200,
        () -> {
          Document body = Document.of("value", those.stream().map(Supplier::get).toList());
          return to == all.size() ? body : body.with("nextLink", next(request, to));
        });
  }

  private static String next(ArmRequest request, int from) {
    return request.origin()
        + request.path()
        + "?api-version="
        + request.apiVersion()
        + "&$skiptoken="
        + from;
  }

  private static int number(String token) {
    return Optional.of(token)
        .filter(text -> text.matches("[0-9]{1,9}"))
        .map(Integer::valueOf)
        .orElseThrow(
            () ->
                Refusal.of(
                    400, "InvalidSkipToken", "The skip token '" + token + "' is not valid."));
  }
}
