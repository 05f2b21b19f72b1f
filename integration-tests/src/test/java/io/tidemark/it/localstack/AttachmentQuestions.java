package io.tidemark.it.localstack;

import io.tidemark.it.localstack.Question.Topic;
import java.util.List;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.InstanceNetworkInterfaceSpecification;
import software.amazon.awssdk.services.ec2.model.InstanceType;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;

/** Instances, what is attached to them and what becomes of it. */
final class AttachmentQuestions {
  private static final Topic ATTACHMENT = new Topic("Attaching and detaching");
  private static final Topic ENDING = new Topic("Termination");
  private static final Topic LAUNCH = new Topic("Instances");
  private static final String CARDS = "Network cards (EC2 User Guide)";
  private static final String LIMITS = "IP addresses per network interface per instance type";
  private static final String LIFE = "Instance lifecycle (EC2 User Guide)";

  private AttachmentQuestions() {}

  static List<Question> all() {
    return List.of(
        ATTACHMENT.does(
            "Two interfaces at one device index?",
            "Elastic network interfaces: each attachment has a device index of its own",
            s -> {
              s.attach(s.eni(), s.instance(), 1);
              s.attach(s.eni(), s.instance(), 1);
            }),
        ATTACHMENT.does(
            "One interface attached twice?",
            "EC2 error codes, InvalidNetworkInterface.InUse",
            s -> {
              String eni = s.eni();
              s.attach(eni, s.instance(), 1);
              s.attach(eni, s.instance(), 2);
            }),
        ATTACHMENT.does(
            "A fourth interface on m5.large?",
            LIMITS + ": m5.large has three interfaces",
            s -> {
              for (int device = 1; device <= 3; device++) {
                s.attach(s.eni(), s.instance(), device);
              }
            }),
        ATTACHMENT.does(
            "An interface with twelve addresses attached to m5.large?",
            LIMITS + "; EC2 error codes",
            s -> s.attach(s.eni(r -> r.secondaryPrivateIpAddressCount(11)), s.instance(), 1)),
        ATTACHMENT.does(
            "The second network card of m5.large?",
            CARDS + ": m5.large has one",
            s -> onCard(s, s.instance(), s.eni(), 1)),
        ATTACHMENT.asks(
            "Which card has an interface on the second card of p5.48xlarge?",
            "AttachNetworkInterface, NetworkCardIndex",
            s -> {
              String eni = s.eni();
              onCard(s, s.instance(InstanceType.P5_48_XLARGE), eni, 1);
              return s.shown(eni).attachment().networkCardIndex();
            }),
        ATTACHMENT.does(
            "An interface of another zone?",
            "Elastic network interfaces: in the instance's Availability Zone",
            s -> s.attach(s.eni(s.subnet("10.0.2.0/24", Scene.OTHER_ZONE)), s.instance(), 1)),
        ATTACHMENT.does(
            "An interface attached to a terminated instance?",
            "AttachNetworkInterface: to a running or stopped instance",
            s -> {
              s.terminate(s.instance());
              s.attach(s.eni(), s.instance(), 1);
            }),
        ATTACHMENT.does(
            "An interface attached to a stopped instance?",
            "AttachNetworkInterface: to a running or stopped instance",
            s -> {
              s.stop(s.instance());
              s.attach(s.eni(), s.instance(), 1);
            }),
        ATTACHMENT.does(
            "An interface attached to an instance that does not exist?",
            "EC2 error codes, InvalidInstanceID.NotFound",
            s -> s.attach(s.eni(), "i-0123456789abcdef0", 1)),
        ATTACHMENT.asks(
            "How many interfaces does an instance list that has got a second one?",
            "DescribeInstances, networkInterfaceSet",
            s -> {
              s.attach(s.eni(), s.instance(), 1);
              return described(s, s.instance()).networkInterfaces().size();
            }),
        ATTACHMENT.asks(
            "Which status and device index does an attached interface tell?",
            "DescribeNetworkInterfaces, attachment",
            s -> {
              String eni = s.eni();
              s.attach(eni, s.instance(), 2);
              NetworkInterface shown = s.shown(eni);
              return shown.statusAsString() + " at " + shown.attachment().deviceIndex();
            }),
        ATTACHMENT.asks(
            "Which status has an interface once it is detached?",
            "DetachNetworkInterface",
            s -> {
              String eni = s.eni();
              s.detach(s.attach(eni, s.instance(), 1));
              return s.shown(eni).statusAsString();
            }),
        ATTACHMENT.does(
            "The primary interface detached?",
            "Elastic network interfaces: the primary one cannot be detached",
            s -> {
              s.attach(s.eni(), s.instance(), 1);
              s.detach(s.shown(s.primary(s.instance())).attachment().attachmentId());
            }),
        ATTACHMENT.does(
            "An interface detached twice?",
            "EC2 error codes, InvalidAttachmentID.NotFound",
            s -> {
              String id = s.attach(s.eni(), s.instance(), 1);
              s.detach(id);
              s.detach(id);
            }),
        ENDING.asks(
            "Is an interface that was attached later marked to end with the instance?",
            "AttachNetworkInterface: not deleted on termination unless modified",
            s -> {
              String eni = s.eni();
              s.attach(eni, s.instance(), 1);
              return s.shown(eni).attachment().deleteOnTermination();
            }),
        ENDING.asks(
            "Which status has an interface that was attached later, after termination?",
            "InstanceNetworkInterfaceAttachment, DeleteOnTermination",
            s -> {
              String eni = s.eni();
              s.attach(eni, s.instance(), 1);
              s.terminate(s.instance());
              return s.shown(eni).statusAsString();
            }),
        ENDING.asks(
            "Is the interface of a plain launch marked to end with the instance?",
            "InstanceNetworkInterfaceSpecification, DeleteOnTermination: true by default",
            s -> s.shown(s.primary(s.instance())).attachment().deleteOnTermination()),
        ENDING.asks(
            "Is it gone after termination?",
            "InstanceNetworkInterfaceSpecification, DeleteOnTermination",
            s -> {
              s.terminate(s.instance());
              return s.shownBy("subnet-id", s.subnet()).isEmpty();
            }),
        ENDING.asks(
            "And when the launch says that it shall stay: which status has it?",
            "InstanceNetworkInterfaceSpecification, DeleteOnTermination",
            s -> {
              Instance instance =
                  s.launched(
                      r -> r.networkInterfaces(primary(s).deleteOnTermination(false).build()));
              s.terminate(instance.instanceId());
              List<NetworkInterface> left = s.shownBy("subnet-id", s.subnet());
              return left.isEmpty() ? "it is gone" : left.get(0).statusAsString();
            }),
        ENDING.asks(
            "How many of a /24's 251 addresses are free after termination?",
            "Subnet, availableIpAddressCount",
            s -> {
              s.terminate(s.instance());
              return s.free(s.subnet());
            }),
        ENDING.asks(
            "Is a terminated instance still listed?",
            "Terminate instances (EC2 User Guide): visible for an hour",
            s -> {
              s.terminate(s.instance());
              return state(s, s.instance());
            }),
        LAUNCH.asks(
            "Which state has an instance that was stopped?",
            LIFE,
            s -> {
              s.stop(s.instance());
              return state(s, s.instance());
            }),
        LAUNCH.asks(
            "How many interfaces has a stopped instance?",
            LIFE + ": its interfaces stay attached",
            s -> {
              s.stop(s.instance());
              return s.shownBy("attachment.instance-id", s.instance()).size();
            }),
        LAUNCH.does(
            "A terminated instance started?",
            "EC2 error codes, IncorrectInstanceState",
            s -> {
              s.terminate(s.instance());
              s.ec2().startInstances(r -> r.instanceIds(s.instance()));
            }),
        LAUNCH.asks(
            "How many addresses has an interface launched with three secondary ones?",
            "InstanceNetworkInterfaceSpecification, SecondaryPrivateIpAddressCount",
            s -> {
              s.launched(
                  r -> r.networkInterfaces(primary(s).secondaryPrivateIpAddressCount(3).build()));
              return s.shownBy("subnet-id", s.subnet()).get(0).privateIpAddresses().size();
            }),
        LAUNCH.asks(
            "How many prefixes has an interface launched with one?",
            "InstanceNetworkInterfaceSpecification, Ipv4PrefixCount",
            s -> {
              s.launched(r -> r.networkInterfaces(primary(s).ipv4PrefixCount(1).build()));
              return s.shownBy("subnet-id", s.subnet()).get(0).ipv4Prefixes().size();
            }),
        LAUNCH.does(
            "A launch of m5.large with four interfaces?",
            LIMITS + ": m5.large has three interfaces",
            s ->
                s.launched(
                    r ->
                        r.networkInterfaces(
                            primary(s).build(),
                            primary(s).deviceIndex(1).build(),
                            primary(s).deviceIndex(2).build(),
                            primary(s).deviceIndex(3).build()))),
        LAUNCH.does(
            "A launch with more addresses than the type carries?",
            LIMITS,
            s ->
                s.launched(
                    r ->
                        r.networkInterfaces(
                            primary(s).secondaryPrivateIpAddressCount(10).build()))),
        LAUNCH.does(
            "A launch with interfaces and a subnet beside them?",
            "RunInstances, SubnetId: not together with network interfaces",
            s -> s.launched(r -> r.subnetId(s.subnet()).networkInterfaces(primary(s).build()))),
        LAUNCH.does(
            "A launch of at least two and at most one?",
            "RunInstances, MinCount and MaxCount",
            s -> s.launched(r -> r.subnetId(s.subnet()).minCount(2).maxCount(1))),
        LAUNCH.does(
            "An instance type that does not exist?",
            "RunInstances, InstanceType: valid values",
            s -> s.launched(r -> r.subnetId(s.subnet()).instanceType("m5.huge"))),
        LAUNCH.does(
            "An image that does not exist?",
            "EC2 error codes, InvalidAMIID.NotFound",
            s -> s.launched(r -> r.subnetId(s.subnet()).imageId("ami-00000000000000000"))));
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

  private static Instance described(Scene s, String instance) {
    return s.ec2()
        .describeInstances(r -> r.instanceIds(instance))
        .reservations()
        .get(0)
        .instances()
        .get(0);
  }

  private static String state(Scene s, String instance) {
    return described(s, instance).state().nameAsString();
  }

  private static InstanceNetworkInterfaceSpecification.Builder primary(Scene s) {
    return InstanceNetworkInterfaceSpecification.builder().deviceIndex(0).subnetId(s.subnet());
  }
}
