package io.tidemark.it.localstack;

import static io.tidemark.it.localstack.SdkValues.filter;
import static io.tidemark.it.localstack.SdkValues.tag;

import io.tidemark.it.localstack.Question.Topic;
import java.util.List;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.ec2.model.CreateNetworkInterfacePermissionResponse;
import software.amazon.awssdk.services.ec2.model.InterfacePermissionType;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;
import software.amazon.awssdk.services.ec2.model.NetworkInterfaceCreationType;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.TagSpecification;

/** Making interfaces, their groups and attributes, client tokens, permissions, deletion. */
final class InterfaceQuestions {
  private static final Topic MAKING = new Topic("Interfaces");
  private static final Topic CLIENT_TOKEN = new Topic("Client tokens");
  private static final Topic ATTRIBUTE = new Topic("Attributes");
  private static final Topic PERMISSION = new Topic("Permissions");
  private static final String TOKENS = "Ensuring idempotency in Amazon EC2 API requests";
  private static final String PERMISSIONS = "CreateNetworkInterfacePermission";
  private static final String TOKEN = "a-token-of-the-caller";

  private InterfaceQuestions() {}

  static List<Question> all() {
    return List.of(
        MAKING.asks(
            "Which status does the answer to a creation tell?",
            "CreateNetworkInterface, example: pending",
            s -> s.created(s.subnet(), r -> {}).statusAsString()),
        MAKING.asks(
            "Which description and how many addresses has an interface that is found by its tag?",
            "DescribeNetworkInterfaces, filter tag:key",
            s -> {
              TagSpecification tags =
                  TagSpecification.builder()
                      .resourceType(ResourceType.NETWORK_INTERFACE)
                      .tags(tag("owner", s.account()))
                      .build();
              s.eni(
                  r ->
                      r.description("blue")
                          .secondaryPrivateIpAddressCount(3)
                          .tagSpecifications(tags));
              NetworkInterface found = s.shownBy("tag:owner", s.account()).get(0);
              return found.description() + ", " + found.privateIpAddresses().size();
            }),
        MAKING.asks(
            "How many interfaces are found by a group that one has got instead of another?",
            "ModifyNetworkInterfaceAttribute, SecurityGroupId.N; filter group-id",
            s -> {
              String before = s.group("before");
              String after = s.group("after");
              String eni = s.eni(r -> r.groups(before));
              s.change(eni, r -> r.groups(after));
              return s.shownBy("group-id", before).size()
                  + " and "
                  + s.shownBy("group-id", after).size();
            }),
        MAKING.does(
            "An interface deleted twice?",
            "EC2 error codes, InvalidNetworkInterfaceID.NotFound",
            s -> {
              String eni = s.eni();
              s.ec2().deleteNetworkInterface(r -> r.networkInterfaceId(eni));
              s.ec2().deleteNetworkInterface(r -> r.networkInterfaceId(eni));
            }),
        MAKING.asks(
            "Which group does an interface get that names none?",
            "CreateNetworkInterface, SecurityGroupId: the VPC's default group",
            s -> {
              List<?> groups = s.shown(s.eni()).groups();
              return groups.isEmpty() ? "none" : "the default group";
            }),
        MAKING.does(
            "A group that does not exist?",
            "EC2 error codes, InvalidGroup.NotFound",
            s -> s.eni(r -> r.groups("sg-0123456789abcdef0"))),
        MAKING.does(
            "A group of another VPC?",
            "EC2 error codes, InvalidParameter: resources of different networks",
            s -> {
              String foreign = s.group(s.vpc("10.1.0.0/16"), "foreign");
              s.eni(r -> r.groups(foreign));
            }),
        MAKING.does(
            "Six groups?",
            "Amazon VPC quotas: five groups per interface",
            s -> {
              List<String> groups = IntStream.range(0, 6).mapToObj(i -> s.group("g" + i)).toList();
              s.eni(r -> r.groups(groups));
            }),
        MAKING.does(
            "An interface type that does not exist?",
            "CreateNetworkInterface, InterfaceType: valid values",
            s -> s.eni(r -> r.interfaceType("fast"))),
        MAKING.asks(
            "How many private addresses has an EFA-only interface?",
            "Elastic Fabric Adapter (EC2 User Guide): EFA-only interfaces have no IP address",
            s ->
                s.created(s.subnet(), r -> r.interfaceType(NetworkInterfaceCreationType.EFA_ONLY))
                    .privateIpAddresses()
                    .size()),
        MAKING.asks(
            "Which type has an interface that is asked for as efa?",
            "CreateNetworkInterface, InterfaceType",
            s ->
                s.shown(s.eni(r -> r.interfaceType(NetworkInterfaceCreationType.EFA)))
                    .interfaceTypeAsString()),
        CLIENT_TOKEN.asks(
            "How many interfaces are made by one request sent twice with one token?",
            TOKENS,
            s -> {
              s.eni(r -> r.clientToken(TOKEN));
              s.eni(r -> r.clientToken(TOKEN));
              return s.shownBy("subnet-id", s.subnet()).size();
            }),
        CLIENT_TOKEN.does(
            "Another request with the same token?",
            TOKENS + ": IdempotentParameterMismatch",
            s -> {
              s.eni(r -> r.clientToken(TOKEN));
              s.eni(r -> r.clientToken(TOKEN).description("other"));
            }),
        CLIENT_TOKEN.asks(
            "How many instances are launched by one request sent twice with one token?",
            TOKENS,
            s -> {
              s.launched(r -> r.subnetId(s.subnet()).clientToken(TOKEN));
              s.launched(r -> r.subnetId(s.subnet()).clientToken(TOKEN));
              return s
                  .ec2()
                  .describeInstances(r -> r.filters(filter("subnet-id", s.subnet())))
                  .reservations()
                  .stream()
                  .mapToInt(one -> one.instances().size())
                  .sum();
            }),
        ATTRIBUTE.asks(
            "Is an attachment deleted with its instance after it was marked so?",
            "ModifyNetworkInterfaceAttribute, Attachment",
            s -> {
              String eni = s.eni();
              mark(s, eni, s.attach(eni, s.instance(), 1));
              return s.shown(eni).attachment().deleteOnTermination();
            }),
        ATTRIBUTE.does(
            "The mark set through an attachment that does not exist?",
            "EC2 error codes, InvalidAttachmentID.NotFound",
            s -> {
              String eni = s.eni();
              mark(s, eni, "eni-attach-0123456789abcdef0");
            }),
        ATTRIBUTE.does(
            "Two attributes in one call?",
            "ModifyNetworkInterfaceAttribute: one attribute at a time",
            s ->
                s.change(
                    s.eni(),
                    r -> r.description(d -> d.value("new")).sourceDestCheck(c -> c.value(false)))),
        ATTRIBUTE.asks(
            "Which description is shown after it was changed?",
            "ModifyNetworkInterfaceAttribute, Description",
            s -> {
              String eni = s.eni(r -> r.description("old"));
              s.change(eni, r -> r.description(d -> d.value("new")));
              return s.shown(eni).description();
            }),
        ATTRIBUTE.asks(
            "Is the source/destination check off after it was switched off?",
            "ModifyNetworkInterfaceAttribute, SourceDestCheck",
            s -> {
              String eni = s.eni();
              s.change(eni, r -> r.sourceDestCheck(c -> c.value(false)));
              return !s.shown(eni).sourceDestCheck();
            }),
        ATTRIBUTE.asks(
            "Which description does DescribeNetworkInterfaceAttribute tell?",
            "DescribeNetworkInterfaceAttribute",
            s -> {
              String eni = s.eni(r -> r.description("mine"));
              return s.ec2()
                  .describeNetworkInterfaceAttribute(
                      r -> r.networkInterfaceId(eni).attribute("description"))
                  .description()
                  .value();
            }),
        MAKING.does(
            "An attached interface deleted?",
            "DeleteNetworkInterface: it must be detached first",
            s -> {
              String eni = s.primary(s.instance());
              s.ec2().deleteNetworkInterface(r -> r.networkInterfaceId(eni));
            }),
        PERMISSION.asks(
            "Which state has a permission for another account?",
            PERMISSIONS,
            s -> permit(s).interfacePermission().permissionState().stateAsString()),
        PERMISSION.does(
            "A permission for no account?",
            PERMISSIONS + ", AwsAccountId",
            s -> {
              String eni = s.eni();
              s.ec2()
                  .createNetworkInterfacePermission(
                      r ->
                          r.networkInterfaceId(eni)
                              .permission(InterfacePermissionType.INSTANCE_ATTACH));
            }),
        PERMISSION.asks(
            "How many permissions are listed of one that was made?",
            "DescribeNetworkInterfacePermissions",
            s -> {
              String id = permit(s).interfacePermission().networkInterfacePermissionId();
              return s.ec2()
                  .describeNetworkInterfacePermissions(r -> r.networkInterfacePermissionIds(id))
                  .networkInterfacePermissions()
                  .size();
            }),
        PERMISSION.does(
            "An interface of another account attached without a permission?",
            PERMISSIONS + ": needed to attach it",
            s -> {
              String eni = s.eni();
              Scene other = s.neighbour();
              other.attach(eni, other.instance(), 1);
            }));
  }

  private static void mark(Scene s, String eni, String attachment) {
    s.change(eni, r -> r.attachment(a -> a.attachmentId(attachment).deleteOnTermination(true)));
  }

  private static CreateNetworkInterfacePermissionResponse permit(Scene s) {
    String eni = s.eni();
    return s.ec2()
        .createNetworkInterfacePermission(
            r ->
                r.networkInterfaceId(eni)
                    .awsAccountId("222222222222")
                    .permission(InterfacePermissionType.INSTANCE_ATTACH));
  }
}
