package io.tidemark.it.localstack;

import static io.tidemark.it.localstack.SdkValues.filter;
import static io.tidemark.it.localstack.SdkValues.tag;

import io.tidemark.it.localstack.Question.Topic;
import java.util.List;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.ec2.model.Ec2Exception;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.TagSpecification;

/** Tags, dry runs, and requests that no SDK would send. */
final class ProtocolQuestions {
  private static final Topic TAGGING = new Topic("Tags");
  private static final Topic DRY_RUN = new Topic("Dry runs");
  private static final Topic PROTOCOL = new Topic("The protocol");
  private static final String TAGS = "Tag restrictions (EC2 User Guide)";
  private static final String DRY = "DryRun parameter of the action";
  private static final String CODES = "Common errors (EC2 API reference)";
  private static final String VERSION = "&Version=2016-11-15";

  private ProtocolQuestions() {}

  static List<Question> all() {
    return List.of(
        TAGGING.does(
            "A tag key that begins with `aws:`?",
            TAGS + ": reserved",
            s -> tagged(s, "aws:mine", "1")),
        TAGGING.does(
            "A tag key of 129 characters?",
            TAGS + ": 128 at most; Tag, Key: 127 at most",
            s -> tagged(s, "k".repeat(129), "1")),
        TAGGING.does(
            "A tag value of 257 characters?",
            TAGS + ": 256 at most",
            s -> tagged(s, "k", "v".repeat(257))),
        TAGGING.does(
            "A 51st tag?",
            "EC2 error codes, TagLimitExceeded: 50",
            s ->
                s.ec2()
                    .createTags(
                        r ->
                            r.resources(s.vpc())
                                .tags(
                                    IntStream.range(0, 51)
                                        .mapToObj(i -> tag("k" + i, ""))
                                        .toList()))),
        TAGGING.does(
            "Tags on an interface that does not exist?",
            "EC2 error codes, InvalidNetworkInterfaceID.NotFound",
            s -> s.ec2().createTags(r -> r.resources("eni-0123456789abcdef0").tags(tag("a", "b")))),
        TAGGING.does(
            "A new interface with tags for an instance?",
            "TagSpecification, ResourceType",
            s -> {
              TagSpecification other =
                  TagSpecification.builder()
                      .resourceType(ResourceType.INSTANCE)
                      .tags(tag("a", "b"))
                      .build();
              s.eni(r -> r.tagSpecifications(other));
            }),
        TAGGING.asks(
            "Is a tag deleted when another value is given?",
            "DeleteTags, Tag.N: only if the value matches",
            s -> {
              s.ec2().createTags(r -> r.resources(s.vpc()).tags(tag("a", "b")));
              s.ec2().deleteTags(r -> r.resources(s.vpc()).tags(tag("a", "c")));
              return s.ec2().describeVpcs(r -> r.vpcIds(s.vpc())).vpcs().get(0).tags().isEmpty();
            }),
        TAGGING.asks(
            "How many tags does DescribeTags list for a resource with two?",
            "DescribeTags",
            s -> {
              s.ec2().createTags(r -> r.resources(s.vpc()).tags(tag("a", "b"), tag("c", "d")));
              return s.ec2()
                  .describeTags(r -> r.filters(filter("resource-id", s.vpc())))
                  .tags()
                  .size();
            }),
        DRY_RUN.does("A creation that would succeed?", DRY, s -> s.eni(r -> r.dryRun(true))),
        DRY_RUN.asks(
            "Its HTTP status?",
            DRY + ": 412",
            s -> {
              try {
                s.eni(r -> r.dryRun(true));
                return "done";
              } catch (Ec2Exception dry) {
                return dry.statusCode();
              }
            }),
        DRY_RUN.does(
            "A launch that would succeed?",
            DRY,
            s -> s.launched(r -> r.subnetId(s.subnet()).dryRun(true))),
        DRY_RUN.asks(
            "An assignment of addresses?",
            "AssignPrivateIpAddresses has no such parameter",
            s ->
                s.raw(
                    "Action=AssignPrivateIpAddresses"
                        + VERSION
                        + "&SecondaryPrivateIpAddressCount=1&NetworkInterfaceId="
                        + s.eni()
                        + "&DryRun=true")),
        DRY_RUN.does("A listing?", DRY, s -> s.enis(r -> r.dryRun(true))),
        PROTOCOL.asks(
            "An action that does not exist?",
            CODES + ": InvalidAction",
            s -> s.raw("Action=DescribeEverything" + VERSION)),
        PROTOCOL.asks(
            "A parameter that does not exist?",
            CODES + ": UnknownParameter",
            s -> s.raw("Action=DescribeVpcs" + VERSION + "&Colour=blue")),
        PROTOCOL.asks(
            "A required parameter missing?",
            CODES + ": MissingParameter",
            s -> s.raw("Action=CreateNetworkInterface" + VERSION)),
        PROTOCOL.asks(
            "A word where a number belongs?",
            CODES + ": InvalidParameterValue",
            s -> s.raw("Action=DescribeVpcs" + VERSION + "&MaxResults=many")),
        PROTOCOL.asks(
            "No action at all?", CODES + ": MissingAction", s -> s.raw(VERSION.substring(1))),
        PROTOCOL.asks(
            "A version that does not exist?",
            "EC2 error codes, NoSuchVersion",
            s -> s.raw("Action=DescribeVpcs&Version=1999-01-01")),
        PROTOCOL.asks(
            "No signature?",
            CODES + ": MissingAuthenticationToken",
            s -> s.raw("Action=DescribeVpcs" + VERSION, "")),
        PROTOCOL.asks(
            "A signature without a scope?",
            "EC2 error codes, AuthFailure",
            s -> s.raw("Action=DescribeVpcs" + VERSION, "AWS4-HMAC-SHA256 Credential=nobody")));
  }

  private static void tagged(Scene s, String key, String value) {
    s.ec2().createTags(r -> r.resources(s.vpc()).tags(tag(key, value)));
  }
}
