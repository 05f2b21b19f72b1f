package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Ec2Attachment;
import io.tidemark.emulator.ec2.model.Ec2NetworkInterface;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.Table;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The attributes of interfaces: how they are set, shown and changed. */
final class InterfaceAttributes {
  private static final String TRACKED = "ConnectionTrackingSpecification";

  /** How long idle connections are tracked: the parameter of new interfaces. */
  static final String TRACKING =
      " " + TRACKED + "{TcpEstablishedTimeout:int UdpStreamTimeout:int UdpTimeout:int}";

  static final List<Action> ALL =
      List.of(
          DeclaredAction.of(
              "DescribeNetworkInterfaceAttribute",
              "NetworkInterfaceId! Attribute",
              InterfaceAttributes::describe),
          DeclaredAction.doing(
              "ModifyNetworkInterfaceAttribute",
              "NetworkInterfaceId! Description{Value} SourceDestCheck{Value:flag}"
                  + " SecurityGroupId[] Attachment{AttachmentId DeleteOnTermination:flag"
                  + " -DefaultEnaQueueCount -EnaQueueCount} -EnaSrdSpecification"
                  + " -EnablePrimaryIpv6 -ConnectionTrackingSpecification"
                  + " -AssociatePublicIpAddress -AssociatedSubnetId",
              InterfaceAttributes::modify));

  private InterfaceAttributes() {}

  /**
   * The settings of a new interface.
   *
   * @param parameters of the request, or of one interface in it
   * @param tracking as {@link #tracking} reads it
   */
  static Ec2NetworkInterface.Settings ofNew(
      Call call, Parameters parameters, String vpcId, Supplier<Map<String, Integer>> tracking) {
    return new Ec2NetworkInterface.Settings(
        parameters.text("Description").orElse(""),
        SecurityGroupActions.chosen(call, vpcId, parameters.texts("SecurityGroupId")),
        true,
        tracking.get());
  }

  /** The bounds are documented in "ConnectionTrackingSpecificationRequest" (API Reference). */
  static Map<String, Integer> tracking(Parameters parameters) {
    Map<String, Integer> seconds = new LinkedHashMap<>();
    parameters
        .structure(TRACKED)
        .ifPresent(
            asked -> {
              read(asked, "TcpEstablishedTimeout", 60, 432_000, seconds);
              read(asked, "UdpStreamTimeout", 60, 180, seconds);
              read(asked, "UdpTimeout", 30, 60, seconds);
            });
    return seconds;
  }

  private static void read(
      Parameters asked, String name, int least, int most, Map<String, Integer> into) {
    Optional<Integer> seconds = asked.integer(name);
    if (seconds.filter(asking -> asking < least || asking > most).isPresent()) {
      throw Values.invalid(
          seconds.get(), name, "It must be from " + least + " to " + most + " seconds");
    }
    seconds.ifPresent(value -> into.put(Field.spoken(name), value));
  }

  /** The requested timeouts; empty when nothing was. */
  static Optional<Answer> shown(Map<String, Integer> tracking) {
    Answer answer = Answer.empty();
    tracking.forEach(answer::put);
    return tracking.isEmpty() ? Optional.empty() : Optional.of(answer);
  }

  /** Shows one attribute of an interface. */
  private static Answer describe(Call call) {
    Table<Ec2NetworkInterface> all = call.region().interfaces();
    String id = call.parameters().need("NetworkInterfaceId");
    all.type().requireWellFormed(id);
    Ec2NetworkInterface shown = call.seen(all, id).orElseThrow(() -> all.type().notFound(id));
    String attribute = call.parameters().need("Attribute");
    Object value =
        switch (attribute) {
          case "description" -> Answer.of("value", shown.settings().description());
          case "sourceDestCheck" -> Answer.of("value", shown.settings().sourceDestCheck());
          case "groupSet" -> Ec2InterfaceListing.groups(shown);
          case "attachment" -> shown.attachment().map(Ec2InterfaceListing::shown);
          case "associatePublicIpAddress" ->
              throw Ec2Refusal.of(
                  "UnsupportedOperation",
                  "The emulator does not support the attribute %s",
                  attribute);
          default -> throw Values.invalid(attribute, "attribute", "It is not an attribute.");
        };
    return Answer.of("networkInterfaceId", shown.id()).put(attribute, value);
  }

  /** Changes one attribute: description, groups, source/destination check or the attachment. */
  private static void modify(Call call) {
    Parameters parameters = call.parameters();
    List<String> given =
        Stream.of("Description", "SourceDestCheck", "SecurityGroupId", "Attachment")
            .filter(parameters::has)
            .toList();
    Ec2Refusal.when(given.isEmpty(), "InvalidParameterCombination", "No attributes specified.");
    Ec2Refusal.when(
        given.size() > 1,
        "InvalidParameterCombination",
        "Fields for multiple attribute types specified: %s",
        String.join(", ", given));
    Table<Ec2NetworkInterface> all = call.region().interfaces();
    Ec2NetworkInterface present = call.need(all, parameters.need("NetworkInterfaceId"));
    all.put(
        given.contains("Attachment")
            ? withAttachment(call, present)
            : present.withSettings(settings(call, given.get(0), present)));
  }

  private static Ec2NetworkInterface.Settings settings(
      Call call, String attribute, Ec2NetworkInterface present) {
    Parameters parameters = call.parameters();
    requireOwner(call, present);
    Ec2NetworkInterface.Settings settings = present.settings();
    Optional<String> value = parameters.structure(attribute).flatMap(one -> one.text("Value"));
    return switch (attribute) {
      case "SecurityGroupId" ->
          settings.withGroups(
              SecurityGroupActions.chosen(
                  call, present.placement().vpcId(), parameters.texts("SecurityGroupId")));
      case "Description" -> settings.withDescription(value.orElseThrow());
      default -> settings.withSourceDestCheck(Boolean.parseBoolean(value.orElseThrow()));
    };
  }

  private static Ec2NetworkInterface withAttachment(Call call, Ec2NetworkInterface present) {
    Parameters wanted = call.parameters().structure("Attachment").orElseThrow();
    String id =
        wanted
            .text("AttachmentId")
            .orElseThrow(() -> ParameterShape.missing("attachment.attachmentId"));
    ResourceType.ATTACHMENT.requireWellFormed(id);
    Ec2Attachment attachment =
        present
            .attachment()
            .filter(a -> a.id().equals(id))
            .orElseThrow(() -> ResourceType.ATTACHMENT.notFound(id));
    if (!attachment.instanceOwnerId().equals(call.account())) {
      requireOwner(call, present);
    }
    boolean delete =
        wanted
            .flag("DeleteOnTermination")
            .orElseThrow(() -> ParameterShape.missing("attachment.deleteOnTermination"));
    return present.withAttachment(Optional.of(attachment.withDeleteOnTermination(delete)));
  }

  private static void requireOwner(Call call, Ec2NetworkInterface present) {
    call.needOwn(call.region().interfaces(), present.id());
  }
}
