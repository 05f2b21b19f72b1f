package io.tidemark.it.localstack;

import static io.tidemark.it.localstack.SdkValues.filter;
import static io.tidemark.it.localstack.SdkValues.tag;

import java.util.List;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.ec2.model.Ec2Exception;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.TagSpecification;

/** Tags, dry runs, and requests that no SDK would send. */
final class ProtocolQuestions {
  private static final String TAGS = "Tag restrictions (EC2 User Guide)";
  private static final String DRY = "DryRun parameter of the action";
  private static final String CODES = "Common errors (EC2 API reference)";
  private static final String VERSION = "&Version=2016-11-15";
  private static final String BLOCK = "10.0.1.0/24";

  private ProtocolQuestions() {}

  static List<Question> all() {
    return List.of(
        tags(
            "A tag key that begins with `aws:`?",
            TAGS + ": reserved",
            s -> tagged(s, "aws:mine", "1")),
        tags(
            "A tag key of 129 characters?",
            TAGS + ": 128 at most; Tag, Key: 127 at most",
            s -> tagged(s, "k".repeat(129), "1")),
        tags(
            "A tag value of 257 characters?",
            TAGS + ": 256 at most",
            s -> tagged(s, "k", "v".repeat(257))),
        tags(
            "A 51st tag?",
            "EC2 error codes, TagLimitExceeded: 50",
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              s.ec2()
                  .createTags(
                      r ->
                          r.resources(vpc)
                              .tags(
                                  IntStream.range(0, 51).mapToObj(i -> tag("k" + i, "")).toList()));
              return "done";
            }),
        tags(
            "Tags on an interface that does not exist?",
            "EC2 error codes, InvalidNetworkInterfaceID.NotFound",
            s -> {
              s.ec2().createTags(r -> r.resources("eni-0123456789abcdef0").tags(tag("a", "b")));
              return "done";
            }),
        tags(
            "A new interface with tags for an instance?",
            "TagSpecification, ResourceType",
            s -> {
              TagSpecification other =
                  TagSpecification.builder()
                      .resourceType(ResourceType.INSTANCE)
                      .tags(tag("a", "b"))
                      .build();
              s.eni(s.subnet(BLOCK), r -> r.tagSpecifications(other));
              return "done";
            }),
        tags(
            "Is a tag deleted when another value is given?",
            "DeleteTags, Tag.N: only if the value matches",
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              s.ec2().createTags(r -> r.resources(vpc).tags(tag("a", "b")));
              s.ec2().deleteTags(r -> r.resources(vpc).tags(tag("a", "c")));
              return s.ec2().describeVpcs(r -> r.vpcIds(vpc)).vpcs().get(0).tags().isEmpty();
            }),
        tags(
            "How many tags does DescribeTags list for a resource with two?",
            "DescribeTags",
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              s.ec2().createTags(r -> r.resources(vpc).tags(tag("a", "b"), tag("c", "d")));
              return s.ec2().describeTags(r -> r.filters(filter("resource-id", vpc))).tags().size();
            }),
        dry(
            "A creation that would succeed?",
            DRY,
            s -> {
              s.eni(s.subnet(BLOCK), r -> r.dryRun(true));
              return "done";
            }),
        dry(
            "Its HTTP status?",
            DRY + ": 412",
            s -> {
              String subnet = s.subnet(BLOCK);
              try {
                s.eni(subnet, r -> r.dryRun(true));
                return "done";
              } catch (Ec2Exception dry) {
                return dry.statusCode();
              }
            }),
        dry(
            "A launch that would succeed?",
            DRY,
            s -> {
              String subnet = s.subnet(BLOCK);
              s.launched(r -> r.subnetId(subnet).dryRun(true));
              return "done";
            }),
        dry(
            "An assignment of addresses?",
            "AssignPrivateIpAddresses has no such parameter",
            s -> {
              String eni = s.eni(s.subnet(BLOCK));
              return s.raw(
                  "Action=AssignPrivateIpAddresses"
                      + VERSION
                      + "&SecondaryPrivateIpAddressCount=1&NetworkInterfaceId="
                      + eni
                      + "&DryRun=true");
            }),
        dry(
            "A listing?",
            DRY,
            s -> {
              s.ec2().describeNetworkInterfaces(r -> r.dryRun(true));
              return "done";
            }),
        protocol(
            "An action that does not exist?",
            CODES + ": InvalidAction",
            s -> s.raw("Action=DescribeEverything" + VERSION)),
        protocol(
            "A parameter that does not exist?",
            CODES + ": UnknownParameter",
            s -> s.raw("Action=DescribeVpcs" + VERSION + "&Colour=blue")),
        protocol(
            "A required parameter missing?",
            CODES + ": MissingParameter",
            s -> s.raw("Action=CreateNetworkInterface" + VERSION)),
        protocol(
            "A word where a number belongs?",
            CODES + ": InvalidParameterValue",
            s -> s.raw("Action=DescribeVpcs" + VERSION + "&MaxResults=many")),
        protocol("No action at all?", CODES + ": MissingAction", s -> s.raw(VERSION.substring(1))),
        protocol(
            "A version that does not exist?",
            "EC2 error codes, NoSuchVersion",
            s -> s.raw("Action=DescribeVpcs&Version=1999-01-01")),
        protocol(
            "No signature?",
            CODES + ": MissingAuthenticationToken",
            s -> s.raw("Action=DescribeVpcs" + VERSION, "")),
        protocol(
            "A signature without a scope?",
            "EC2 error codes, AuthFailure",
            s -> s.raw("Action=DescribeVpcs" + VERSION, "AWS4-HMAC-SHA256 Credential=nobody")));
  }

  private static Object tagged(Scene s, String key, String value) {
    String vpc = s.vpc("10.0.0.0/16");
    s.ec2().createTags(r -> r.resources(vpc).tags(tag(key, value)));
    return "done";
  }

  private static Question tags(String text, String rule, Question.Ask ask) {
    return new Question("Tags", text, rule, ask);
  }

  private static Question dry(String text, String rule, Question.Ask ask) {
    return new Question("Dry runs", text, rule, ask);
  }

  private static Question protocol(String text, String rule, Question.Ask ask) {
    return new Question("The protocol", text, rule, ask);
  }
}
