package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.request.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The reads of scale sets, their instances and virtual machines. Not thread-safe. */
record ArmMachineReads(World world, Reads reads) {
  /** The only filter that Azure documents for lists of machines. */
  private static final Pattern OF_SET =
      Pattern.compile(
          "'?virtualMachineScaleSet/id'?\\s+eq\\s+'?(/[^']+?)'?", Pattern.CASE_INSENSITIVE);

  ArmReply sets(ArmRequest request, ArmId path) {
    String scope = path.scopeOfList();
    return reads.page(
        request,
        world.sets.values().stream().filter(each -> each.id().isWithin(scope)),
        each -> each.document(members(each).size()));
  }

  ArmReply set(ArmId path) {
    ScaleSet set = reads.found(world.sets, path);
    return ArmReply.of(200, set.document(members(set).size()));
  }

  /** How many instances of a set are in which state. */
  ArmReply viewOfSet(ArmId path) {
    ScaleSet set = reads.found(world.sets, path.owner());
    Map<String, Integer> counts = new TreeMap<>();
    for (ArmMachine each : members(set)) {
      each.statuses()
          .forEach(status -> counts.merge(status.text("code").orElse(""), 1, Integer::sum));
    }
    List<Document> summary = new ArrayList<>();
    counts.forEach((code, count) -> summary.add(Document.of("code", code).with("count", count)));
    return ArmReply.of(
        200,
        Document.of("virtualMachine", Document.of("statusesSummary", summary))
            .with(
                "statuses",
                List.of(Document.of("code", "ProvisioningState/succeeded").with("level", "Info"))));
  }

  private List<ArmMachine> members(ScaleSet set) {
    return world.machines.values().stream().filter(each -> each.isOf(set.id())).toList();
  }

  /** The instances of a Uniform set; those of a Flexible one are virtual machines. */
  ArmReply instances(ArmRequest request, ArmId path) {
    ScaleSet set = reads.found(world.sets, path.owner());
    Refusal.when(
        !set.uniform(),
        "OperationNotAllowed",
        "Instances of the Flexible scale set '%s' are listed as virtual machines.",
        set.id());
    return listed(request, each -> each.isOf(set.id()));
  }

  ArmReply machines(ArmRequest request, ArmId path) {
    String scope = path.scopeOfList();
    Optional<ArmId> set =
        Optional.ofNullable(request.query().get("$filter")).map(ArmMachineReads::set);
    return listed(
        request,
        each ->
            !each.uniform && each.id.isWithin(scope) && set.filter(id -> !each.isOf(id)).isEmpty());
  }

  private static ArmId set(String filter) {
    Matcher matcher = OF_SET.matcher(filter.strip());
    return (matcher.matches() ? ArmId.parse(matcher.group(1)) : Optional.<ArmId>empty())
        .orElseThrow(
            () ->
                Refusal.invalid(
                    "InvalidParameter",
                    "The filter '%s' is not supported; machines are filtered by"
                        + " 'virtualMachineScaleSet/id' eq '<id>'.",
                    filter));
  }

  private ArmReply listed(ArmRequest request, Predicate<ArmMachine> which) {
    return reads.page(
        request,
        world.machines.values().stream().filter(which),
        each -> each.document(request.expand(), request.apiVersion()));
  }

  ArmReply machine(ArmRequest request, ArmId path) {
    ArmMachine machine = reads.found(world.machines, path);
    ArmReply reply =
        ArmReply.of(200, () -> machine.document(request.expand(), request.apiVersion()));
    return ArmMachine.knowsEtags(request.apiVersion()) ? reply.with("ETag", machine.etag()) : reply;
  }

  ArmReply view(ArmId path) {
    return ArmReply.of(200, reads.found(world.machines, path.owner()).instanceView());
  }
}
