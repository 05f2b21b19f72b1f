package io.tidemark.it.localstack;

import static io.tidemark.it.localstack.SdkValues.filter;

import java.util.List;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.ec2.model.CreateNetworkInterfacePermissionResponse;
import software.amazon.awssdk.services.ec2.model.InstanceType;
import software.amazon.awssdk.services.ec2.model.InterfacePermissionType;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;
import software.amazon.awssdk.services.ec2.model.NetworkInterfaceCreationType;

/** Making interfaces, their groups and attributes, client tokens, permissions, deletion. */
final class InterfaceQuestions {
  private static final String TOKENS = "Ensuring idempotency in Amazon EC2 API requests";
  private static final String PERMISSIONS = "CreateNetworkInterfacePermission";
  private static final String TOKEN = "a-token-of-the-caller";

  private InterfaceQuestions() {}

  static List<Question> all() {
    return List.of(
        making(
            "Which status does the answer to a creation tell?",
            "CreateNetworkInterface, example: pending",
            s -> s.created(s.subnet("10.0.1.0/24"), r -> {}).statusAsString()),
        making(
            "Which group does an interface get that names none?",
            "CreateNetworkInterface, SecurityGroupId: the VPC's default group",
            s -> {
              List<?> groups = s.shown(s.eni(s.subnet("10.0.1.0/24"))).groups();
              return groups.isEmpty() ? "none" : "the default group";
            }),
        making(
            "A group that does not exist?",
            "EC2 error codes, InvalidGroup.NotFound",
            s -> {
              s.eni(s.subnet("10.0.1.0/24"), r -> r.groups("sg-0123456789abcdef0"));
              return "done";
            }),
        making(
            "A group of another VPC?",
            "EC2 error codes, InvalidParameter: resources of different networks",
            s -> {
              String foreign = s.group(s.vpc("10.1.0.0/16"), "foreign");
              s.eni(s.subnet("10.0.1.0/24"), r -> r.groups(foreign));
              return "done";
            }),
        making(
            "Six groups?",
            "Amazon VPC quotas: five groups per interface",
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              List<String> groups =
                  IntStream.range(0, 6).mapToObj(i -> s.group(vpc, "g" + i)).toList();
              s.eni(s.subnet(vpc, "10.0.1.0/24"), r -> r.groups(groups));
              return "done";
            }),
        making(
            "An interface type that does not exist?",
            "CreateNetworkInterface, InterfaceType: valid values",
            s -> {
              s.eni(s.subnet("10.0.1.0/24"), r -> r.interfaceType("fast"));
              return "done";
            }),
        making(
            "How many private addresses has an EFA-only interface?",
            "Elastic Fabric Adapter (EC2 User Guide): EFA-only interfaces have no IP address",
            s -> {
              NetworkInterface made =
                  s.created(
                      s.subnet("10.0.1.0/24"),
                      r -> r.interfaceType(NetworkInterfaceCreationType.EFA_ONLY));
              return made.privateIpAddresses().size();
            }),
        making(
            "Which type has an interface that is asked for as efa?",
            "CreateNetworkInterface, InterfaceType",
            s ->
                s.shown(
                        s.eni(
                            s.subnet("10.0.1.0/24"),
                            r -> r.interfaceType(NetworkInterfaceCreationType.EFA)))
                    .interfaceTypeAsString()),
        token(
            "How many interfaces are made by one request sent twice with one token?",
            TOKENS,
            s -> {
              String subnet = s.subnet("10.0.1.0/24");
              s.eni(subnet, r -> r.clientToken(TOKEN));
              s.eni(subnet, r -> r.clientToken(TOKEN));
              return s.shownBy("subnet-id", subnet).size();
            }),
        token(
            "Another request with the same token?",
            TOKENS + ": IdempotentParameterMismatch",
            s -> {
              String subnet = s.subnet("10.0.1.0/24");
              s.eni(subnet, r -> r.clientToken(TOKEN));
              s.eni(subnet, r -> r.clientToken(TOKEN).description("other"));
              return "done";
            }),
        token(
            "How many instances are launched by one request sent twice with one token?",
            TOKENS,
            s -> {
              String subnet = s.subnet("10.0.1.0/24");
              s.launched(r -> r.subnetId(subnet).clientToken(TOKEN));
              s.launched(r -> r.subnetId(subnet).clientToken(TOKEN));
              return s
                  .ec2()
                  .describeInstances(r -> r.filters(filter("subnet-id", subnet)))
                  .reservations()
                  .stream()
                  .mapToInt(one -> one.instances().size())
                  .sum();
            }),
        attribute(
            "Is an attachment deleted with its instance after it was marked so?",
            "ModifyNetworkInterfaceAttribute, Attachment",
            s -> {
              String subnet = s.subnet("10.0.1.0/24");
              String eni = s.eni(subnet);
              mark(s, eni, s.attach(eni, s.instance(InstanceType.M5_LARGE, subnet), 1));
              return s.shown(eni).attachment().deleteOnTermination();
            }),
        attribute(
            "The mark set through an attachment that does not exist?",
            "EC2 error codes, InvalidAttachmentID.NotFound",
            s -> {
              String eni = s.eni(s.subnet("10.0.1.0/24"));
              mark(s, eni, "eni-attach-0123456789abcdef0");
              return "done";
            }),
        attribute(
            "Two attributes in one call?",
            "ModifyNetworkInterfaceAttribute: one attribute at a time",
            s -> {
              String eni = s.eni(s.subnet("10.0.1.0/24"));
              s.ec2()
                  .modifyNetworkInterfaceAttribute(
                      r ->
                          r.networkInterfaceId(eni)
                              .description(d -> d.value("new"))
                              .sourceDestCheck(c -> c.value(false)));
              return "done";
            }),
        attribute(
            "Which description is shown after it was changed?",
            "ModifyNetworkInterfaceAttribute, Description",
            s -> {
              String eni = s.eni(s.subnet("10.0.1.0/24"), r -> r.description("old"));
              s.ec2()
                  .modifyNetworkInterfaceAttribute(
                      r -> r.networkInterfaceId(eni).description(d -> d.value("new")));
              return s.shown(eni).description();
            }),
        attribute(
            "Is the source/destination check off after it was switched off?",
            "ModifyNetworkInterfaceAttribute, SourceDestCheck",
            s -> {
              String eni = s.eni(s.subnet("10.0.1.0/24"));
              s.ec2()
                  .modifyNetworkInterfaceAttribute(
                      r -> r.networkInterfaceId(eni).sourceDestCheck(c -> c.value(false)));
              return !s.shown(eni).sourceDestCheck();
            }),
        attribute(
            "Which description does DescribeNetworkInterfaceAttribute tell?",
            "DescribeNetworkInterfaceAttribute",
            s -> {
              String eni = s.eni(s.subnet("10.0.1.0/24"), r -> r.description("mine"));
              return s.ec2()
                  .describeNetworkInterfaceAttribute(
                      r -> r.networkInterfaceId(eni).attribute("description"))
                  .description()
                  .value();
            }),
        making(
            "An attached interface deleted?",
            "DeleteNetworkInterface: it must be detached first",
            s -> {
              String instance = s.instance(InstanceType.M5_LARGE, s.subnet("10.0.1.0/24"));
              String eni = s.primary(instance);
              s.ec2().deleteNetworkInterface(r -> r.networkInterfaceId(eni));
              return "done";
            }),
        permission(
            "Which state has a permission for another account?",
            PERMISSIONS,
            s -> permit(s).interfacePermission().permissionState().stateAsString()),
        permission(
            "A permission for no account?",
            PERMISSIONS + ", AwsAccountId",
            s -> {
              String eni = s.eni(s.subnet("10.0.1.0/24"));
              s.ec2()
                  .createNetworkInterfacePermission(
                      r ->
                          r.networkInterfaceId(eni)
                              .permission(InterfacePermissionType.INSTANCE_ATTACH));
              return "done";
            }),
        permission(
            "How many permissions are listed of one that was made?",
            "DescribeNetworkInterfacePermissions",
            s -> {
              String id = permit(s).interfacePermission().networkInterfacePermissionId();
              return s.ec2()
                  .describeNetworkInterfacePermissions(r -> r.networkInterfacePermissionIds(id))
                  .networkInterfacePermissions()
                  .size();
            }),
        permission(
            "An interface of another account attached without a permission?",
            PERMISSIONS + ": needed to attach it",
            s -> {
              String eni = s.eni(s.subnet("10.0.1.0/24"));
              Scene other = s.neighbour();
              String instance = other.instance(InstanceType.M5_LARGE, other.subnet("10.0.1.0/24"));
              other.attach(eni, instance, 1);
              return "done";
            }));
  }

  private static void mark(Scene s, String eni, String attachment) {
    s.ec2()
        .modifyNetworkInterfaceAttribute(
            r ->
                r.networkInterfaceId(eni)
                    .attachment(a -> a.attachmentId(attachment).deleteOnTermination(true)));
  }

  private static CreateNetworkInterfacePermissionResponse permit(Scene s) {
    String eni = s.eni(s.subnet("10.0.1.0/24"));
    return s.ec2()
        .createNetworkInterfacePermission(
            r ->
                r.networkInterfaceId(eni)
                    .awsAccountId("222222222222")
                    .permission(InterfacePermissionType.INSTANCE_ATTACH));
  }

  private static Question making(String text, String rule, Question.Ask ask) {
    return new Question("Interfaces", text, rule, ask);
  }

  private static Question token(String text, String rule, Question.Ask ask) {
    return new Question("Client tokens", text, rule, ask);
  }

  private static Question attribute(String text, String rule, Question.Ask ask) {
    return new Question("Attributes", text, rule, ask);
  }

  private static Question permission(String text, String rule, Question.Ask ask) {
    return new Question("Permissions", text, rule, ask);
  }
}
