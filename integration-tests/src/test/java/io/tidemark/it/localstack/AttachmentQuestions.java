package io.tidemark.it.localstack;

import java.util.List;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.InstanceNetworkInterfaceSpecification;
import software.amazon.awssdk.services.ec2.model.InstanceType;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;

/** Instances, what is attached to them and what becomes of it. */
final class AttachmentQuestions {
  private static final String BLOCK = "10.0.1.0/24";
  private static final String CARDS = "Network cards (EC2 User Guide)";
  private static final String LIMITS = "IP addresses per network interface per instance type";
  private static final String LIFE = "Instance lifecycle (EC2 User Guide)";

  private AttachmentQuestions() {}

  static List<Question> all() {
    return List.of(
        attachment(
            "Two interfaces at one device index?",
            "Elastic network interfaces: each attachment has a device index of its own",
            s -> {
              String subnet = s.subnet(BLOCK);
              String instance = s.instance(InstanceType.M5_LARGE, subnet);
              s.attach(s.eni(subnet), instance, 1);
              s.attach(s.eni(subnet), instance, 1);
              return "done";
            }),
        attachment(
            "One interface attached twice?",
            "EC2 error codes, InvalidNetworkInterface.InUse",
            s -> {
              String subnet = s.subnet(BLOCK);
              String instance = s.instance(InstanceType.M5_LARGE, subnet);
              String eni = s.eni(subnet);
              s.attach(eni, instance, 1);
              s.attach(eni, instance, 2);
              return "done";
            }),
        attachment(
            "A fourth interface on m5.large?",
            LIMITS + ": m5.large has three interfaces",
            s -> {
              String subnet = s.subnet(BLOCK);
              String instance = s.instance(InstanceType.M5_LARGE, subnet);
              for (int device = 1; device <= 3; device++) {
                s.attach(s.eni(subnet), instance, device);
              }
              return "done";
            }),
        attachment(
            "An interface with twelve addresses attached to m5.large?",
            LIMITS + "; EC2 error codes",
            s -> {
              String subnet = s.subnet(BLOCK);
              String instance = s.instance(InstanceType.M5_LARGE, subnet);
              s.attach(s.eni(subnet, r -> r.secondaryPrivateIpAddressCount(11)), instance, 1);
              return "done";
            }),
        attachment(
            "The second network card of m5.large?",
            CARDS + ": m5.large has one",
            s -> {
              String subnet = s.subnet(BLOCK);
              onCard(s, s.instance(InstanceType.M5_LARGE, subnet), s.eni(subnet), 1);
              return "done";
            }),
        attachment(
            "Which card has an interface on the second card of p5.48xlarge?",
            "AttachNetworkInterface, NetworkCardIndex",
            s -> {
              String subnet = s.subnet(BLOCK);
              String eni = s.eni(subnet);
              onCard(s, s.instance(InstanceType.P5_48_XLARGE, subnet), eni, 1);
              return s.shown(eni).attachment().networkCardIndex();
            }),
        attachment(
            "An interface of another zone?",
            "Elastic network interfaces: in the instance's Availability Zone",
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              String instance = s.instance(InstanceType.M5_LARGE, s.subnet(vpc, BLOCK));
              s.attach(s.eni(s.subnet(vpc, "10.0.2.0/24", Scene.OTHER_ZONE)), instance, 1);
              return "done";
            }),
        attachment(
            "An interface attached to a terminated instance?",
            "AttachNetworkInterface: to a running or stopped instance",
            s -> {
              String subnet = s.subnet(BLOCK);
              String instance = s.instance(InstanceType.M5_LARGE, subnet);
              s.terminate(instance);
              s.attach(s.eni(subnet), instance, 1);
              return "done";
            }),
        attachment(
            "An interface attached to a stopped instance?",
            "AttachNetworkInterface: to a running or stopped instance",
            s -> {
              String subnet = s.subnet(BLOCK);
              String instance = s.instance(InstanceType.M5_LARGE, subnet);
              s.ec2().stopInstances(r -> r.instanceIds(instance));
              s.attach(s.eni(subnet), instance, 1);
              return "done";
            }),
        attachment(
            "An interface attached to an instance that does not exist?",
            "EC2 error codes, InvalidInstanceID.NotFound",
            s -> {
              s.attach(s.eni(s.subnet(BLOCK)), "i-0123456789abcdef0", 1);
              return "done";
            }),
        attachment(
            "Which status has an interface once it is detached?",
            "DetachNetworkInterface",
            s -> {
              String subnet = s.subnet(BLOCK);
              String eni = s.eni(subnet);
              String id = s.attach(eni, s.instance(InstanceType.M5_LARGE, subnet), 1);
              s.ec2().detachNetworkInterface(r -> r.attachmentId(id));
              return s.shown(eni).statusAsString();
            }),
        attachment(
            "The primary interface detached?",
            "Elastic network interfaces: the primary one cannot be detached",
            s -> {
              String subnet = s.subnet(BLOCK);
              String instance = s.instance(InstanceType.M5_LARGE, subnet);
              s.attach(s.eni(subnet), instance, 1);
              String id = s.shown(s.primary(instance)).attachment().attachmentId();
              s.ec2().detachNetworkInterface(r -> r.attachmentId(id));
              return "done";
            }),
        attachment(
            "An interface detached twice?",
            "EC2 error codes, InvalidAttachmentID.NotFound",
            s -> {
              String subnet = s.subnet(BLOCK);
              String id = s.attach(s.eni(subnet), s.instance(InstanceType.M5_LARGE, subnet), 1);
              s.ec2().detachNetworkInterface(r -> r.attachmentId(id));
              s.ec2().detachNetworkInterface(r -> r.attachmentId(id));
              return "done";
            }),
        ending(
            "Is an interface that was attached later marked to end with the instance?",
            "AttachNetworkInterface: not deleted on termination unless modified",
            s -> {
              String subnet = s.subnet(BLOCK);
              String eni = s.eni(subnet);
              s.attach(eni, s.instance(InstanceType.M5_LARGE, subnet), 1);
              return s.shown(eni).attachment().deleteOnTermination();
            }),
        ending(
            "Which status has an interface that was attached later, after termination?",
            "InstanceNetworkInterfaceAttachment, DeleteOnTermination",
            s -> {
              String subnet = s.subnet(BLOCK);
              String instance = s.instance(InstanceType.M5_LARGE, subnet);
              String eni = s.eni(subnet);
              s.attach(eni, instance, 1);
              s.terminate(instance);
              return s.shown(eni).statusAsString();
            }),
        ending(
            "Is the interface of a plain launch marked to end with the instance?",
            "InstanceNetworkInterfaceSpecification, DeleteOnTermination: true by default",
            s -> {
              String instance = s.instance(InstanceType.M5_LARGE, s.subnet(BLOCK));
              return s.shown(s.primary(instance)).attachment().deleteOnTermination();
            }),
        ending(
            "Is it gone after termination?",
            "InstanceNetworkInterfaceSpecification, DeleteOnTermination",
            s -> {
              String subnet = s.subnet(BLOCK);
              s.terminate(s.instance(InstanceType.M5_LARGE, subnet));
              return s.shownBy("subnet-id", subnet).isEmpty();
            }),
        ending(
            "And when the launch says that it shall stay: which status has it?",
            "InstanceNetworkInterfaceSpecification, DeleteOnTermination",
            s -> {
              String subnet = s.subnet(BLOCK);
              Instance instance =
                  s.launched(
                      r -> r.networkInterfaces(primary(subnet).deleteOnTermination(false).build()));
              s.terminate(instance.instanceId());
              List<NetworkInterface> left = s.shownBy("subnet-id", subnet);
              return left.isEmpty() ? "it is gone" : left.get(0).statusAsString();
            }),
        ending(
            "How many of a /24's 251 addresses are free after termination?",
            "Subnet, availableIpAddressCount",
            s -> {
              String subnet = s.subnet(BLOCK);
              s.terminate(s.instance(InstanceType.M5_LARGE, subnet));
              return s.free(subnet);
            }),
        ending(
            "Is a terminated instance still listed?",
            "Terminate instances (EC2 User Guide): visible for an hour",
            s -> {
              String instance = s.instance(InstanceType.M5_LARGE, s.subnet(BLOCK));
              s.terminate(instance);
              return state(s, instance);
            }),
        launch(
            "Which state has an instance that was stopped?",
            LIFE,
            s -> {
              String instance = s.instance(InstanceType.M5_LARGE, s.subnet(BLOCK));
              s.ec2().stopInstances(r -> r.instanceIds(instance));
              return state(s, instance);
            }),
        launch(
            "How many interfaces has a stopped instance?",
            LIFE + ": its interfaces stay attached",
            s -> {
              String instance = s.instance(InstanceType.M5_LARGE, s.subnet(BLOCK));
              s.ec2().stopInstances(r -> r.instanceIds(instance));
              return s.shownBy("attachment.instance-id", instance).size();
            }),
        launch(
            "A terminated instance started?",
            "EC2 error codes, IncorrectInstanceState",
            s -> {
              String instance = s.instance(InstanceType.M5_LARGE, s.subnet(BLOCK));
              s.terminate(instance);
              s.ec2().startInstances(r -> r.instanceIds(instance));
              return "done";
            }),
        launch(
            "How many addresses has an interface launched with three secondary ones?",
            "InstanceNetworkInterfaceSpecification, SecondaryPrivateIpAddressCount",
            s -> {
              String subnet = s.subnet(BLOCK);
              s.launched(
                  r ->
                      r.networkInterfaces(
                          primary(subnet).secondaryPrivateIpAddressCount(3).build()));
              return s.shownBy("subnet-id", subnet).get(0).privateIpAddresses().size();
            }),
        launch(
            "How many prefixes has an interface launched with one?",
            "InstanceNetworkInterfaceSpecification, Ipv4PrefixCount",
            s -> {
              String subnet = s.subnet(BLOCK);
              s.launched(r -> r.networkInterfaces(primary(subnet).ipv4PrefixCount(1).build()));
              return s.shownBy("subnet-id", subnet).get(0).ipv4Prefixes().size();
            }),
        launch(
            "A launch of m5.large with four interfaces?",
            LIMITS + ": m5.large has three interfaces",
            s -> {
              String subnet = s.subnet(BLOCK);
              s.launched(
                  r ->
                      r.networkInterfaces(
                          primary(subnet).build(),
                          primary(subnet).deviceIndex(1).build(),
                          primary(subnet).deviceIndex(2).build(),
                          primary(subnet).deviceIndex(3).build()));
              return "done";
            }),
        launch(
            "A launch with more addresses than the type carries?",
            LIMITS,
            s -> {
              String subnet = s.subnet(BLOCK);
              s.launched(
                  r ->
                      r.networkInterfaces(
                          primary(subnet).secondaryPrivateIpAddressCount(10).build()));
              return "done";
            }),
        launch(
            "A launch with interfaces and a subnet beside them?",
            "RunInstances, SubnetId: not together with network interfaces",
            s -> {
              String subnet = s.subnet(BLOCK);
              s.launched(r -> r.subnetId(subnet).networkInterfaces(primary(subnet).build()));
              return "done";
            }),
        launch(
            "A launch of at least two and at most one?",
            "RunInstances, MinCount and MaxCount",
            s -> {
              s.launched(r -> r.subnetId(s.subnet(BLOCK)).minCount(2).maxCount(1));
              return "done";
            }),
        launch(
            "An instance type that does not exist?",
            "RunInstances, InstanceType: valid values",
            s -> {
              s.launched(r -> r.subnetId(s.subnet(BLOCK)).instanceType("m5.huge"));
              return "done";
            }),
        launch(
            "An image that does not exist?",
            "EC2 error codes, InvalidAMIID.NotFound",
            s -> {
              s.launched(r -> r.subnetId(s.subnet(BLOCK)).imageId("ami-00000000000000000"));
              return "done";
            }));
  }

  private static void onCard(Scene s, String instance, String eni, int card) {
    s.ec2()
        .attachNetworkInterface(
            r ->
                r.instanceId(instance)
                    .networkInterfaceId(eni)
                    .deviceIndex(1)
                    .networkCardIndex(card));
  }

  private static String state(Scene s, String instance) {
    return s.ec2()
        .describeInstances(r -> r.instanceIds(instance))
        .reservations()
        .get(0)
        .instances()
        .get(0)
        .state()
        .nameAsString();
  }

  private static InstanceNetworkInterfaceSpecification.Builder primary(String subnet) {
    return InstanceNetworkInterfaceSpecification.builder().deviceIndex(0).subnetId(subnet);
  }

  private static Question attachment(String text, String rule, Question.Ask ask) {
    return new Question("Attaching and detaching", text, rule, ask);
  }

  private static Question ending(String text, String rule, Question.Ask ask) {
    return new Question("Termination", text, rule, ask);
  }

  private static Question launch(String text, String rule, Question.Ask ask) {
    return new Question("Instances", text, rule, ask);
  }
}
