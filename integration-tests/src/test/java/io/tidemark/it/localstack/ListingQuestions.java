package io.tidemark.it.localstack;

import static io.tidemark.it.localstack.SdkValues.filter;

import java.util.List;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.ec2.model.DescribeNetworkInterfacesResponse;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.InstanceType;

/** Pages, filters and ids of listings. */
final class ListingQuestions {
  private static final String BLOCK = "10.0.1.0/24";
  private static final String PAGES = "DescribeNetworkInterfaces, MaxResults";
  private static final String FILTERS = "List and filter your resources (EC2 User Guide)";
  private static final String UNKNOWN = "EC2 error codes, InvalidNetworkInterfaceID.NotFound";
  private static final String MALFORMED = "EC2 error codes, Malformed";
  private static final String NOWHERE = "eni-0123456789abcdef0";

  private ListingQuestions() {}

  static List<Question> all() {
    return List.of(
        paging(
            "How many of eight interfaces come on a page of five?",
            PAGES,
            s -> page(s, 5).networkInterfaces().size()),
        paging(
            "How many on the page that the token leads to?",
            PAGES + " and NextToken",
            s -> {
              String token = page(s, 5).nextToken();
              return s.ec2()
                  .describeNetworkInterfaces(r -> r.maxResults(5).filters(ours(s)).nextToken(token))
                  .networkInterfaces()
                  .size();
            }),
        paging("A page of four?", PAGES + ": 5 to 1000", s -> done(page(s, 4))),
        paging("A page of 1,001?", PAGES + ": 5 to 1000", s -> done(page(s, 1001))),
        paging(
            "A page of what is named by ids?",
            PAGES + ": not together with ids",
            s -> {
              String eni = s.eni(s.subnet(BLOCK));
              return done(
                  s.ec2().describeNetworkInterfaces(r -> r.networkInterfaceIds(eni).maxResults(5)));
            }),
        paging(
            "A token that nobody gave?",
            PAGES + ": a token is what the answer before returned",
            s -> done(s.ec2().describeNetworkInterfaces(r -> r.maxResults(5).nextToken("bogus")))),
        paging(
            "How many of eight subnets come on a page of five?",
            "DescribeSubnets, MaxResults",
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              IntStream.range(0, 8).forEach(i -> s.subnet(vpc, "10.0." + i + ".0/24"));
              return s.ec2()
                  .describeSubnets(r -> r.filters(filter("vpc-id", vpc)).maxResults(5))
                  .subnets()
                  .size();
            }),
        paging(
            "How many of eight security groups come on a page of five?",
            "DescribeSecurityGroups, MaxResults",
            s -> {
              String vpc = s.vpc("10.0.0.0/16");
              IntStream.range(0, 7).forEach(i -> s.group(vpc, "g" + i));
              return s.ec2()
                  .describeSecurityGroups(r -> r.filters(filter("vpc-id", vpc)).maxResults(5))
                  .securityGroups()
                  .size();
            }),
        paging(
            "How many instance types come on a page of five?",
            "DescribeInstanceTypes, MaxResults",
            s -> s.ec2().describeInstanceTypes(r -> r.maxResults(5)).instanceTypes().size()),
        paging(
            "A page of 101 instance types?",
            "DescribeInstanceTypes, MaxResults: 5 to 100",
            s -> s.ec2().describeInstanceTypes(r -> r.maxResults(101)).instanceTypes().size()),
        filtering(
            "A filter that does not exist?",
            FILTERS,
            s -> s.shownBy("colour", "blue").size() + " found"),
        filtering(
            "A filter without a value?",
            FILTERS,
            s -> {
              String subnet = s.subnet(BLOCK);
              s.eni(subnet);
              return s.ec2()
                      .describeNetworkInterfaces(
                          r ->
                              r.filters(
                                  filter("subnet-id", subnet),
                                  Filter.builder().name("status").build()))
                      .networkInterfaces()
                      .size()
                  + " found";
            }),
        filtering(
            "201 values of filters?",
            "EC2 error codes, FilterLimitExceeded: 200",
            s -> {
              List<String> many = IntStream.range(0, 201).mapToObj(i -> "v" + i).toList();
              return s.ec2()
                      .describeNetworkInterfaces(
                          r -> r.filters(Filter.builder().name("status").values(many).build()))
                      .networkInterfaces()
                      .size()
                  + " found";
            }),
        filtering(
            "How many of three descriptions match `web-*`?",
            FILTERS + ": wildcards",
            s -> described(s, "web-*")),
        filtering(
            "How many of three descriptions match `web-?`?",
            FILTERS + ": wildcards",
            s -> described(s, "web-?")),
        filtering(
            "How many of three descriptions match `WEB-1`?",
            FILTERS + ": values are case-sensitive",
            s -> described(s, "WEB-1")),
        filtering(
            "How many interfaces have both of two filters, and either of two values?",
            FILTERS,
            s -> {
              String subnet = s.subnet(BLOCK);
              s.eni(subnet, r -> r.description("a"));
              s.eni(subnet, r -> r.description("b"));
              s.eni(subnet, r -> r.description("c"));
              return s.ec2()
                  .describeNetworkInterfaces(
                      r ->
                          r.filters(
                              filter("subnet-id", subnet),
                              Filter.builder().name("description").values("a", "b").build()))
                  .networkInterfaces()
                  .size();
            }),
        filtering(
            "Which interfaces are attached?",
            "DescribeNetworkInterfaces, filter attachment.status",
            s -> {
              s.instance(InstanceType.M5_LARGE, s.subnet(BLOCK));
              return s.shownBy("attachment.status", "attached").size() + " found";
            }),
        filtering(
            "Which interfaces are at device index 0?",
            "DescribeNetworkInterfaces, filter attachment.device-index",
            s -> {
              s.instance(InstanceType.M5_LARGE, s.subnet(BLOCK));
              return s.shownBy("attachment.device-index", "0").size() + " found";
            }),
        filtering(
            "Is an interface found by a secondary address?",
            "DescribeNetworkInterfaces, filter addresses.private-ip-address",
            s -> {
              String eni = s.eni(s.subnet(BLOCK), r -> r.privateIpAddress("10.0.1.9"));
              s.ec2()
                  .assignPrivateIpAddresses(
                      r -> r.networkInterfaceId(eni).privateIpAddresses("10.0.1.77"));
              return s.shownBy("addresses.private-ip-address", "10.0.1.77").size() == 1;
            }),
        ids(
            "An interface described that does not exist?",
            UNKNOWN,
            s -> s.shown(NOWHERE).description()),
        ids(
            "One described that exists and one that does not?",
            UNKNOWN + ": the whole call fails",
            s -> {
              String eni = s.eni(s.subnet(BLOCK));
              return s.ec2()
                  .describeNetworkInterfaces(r -> r.networkInterfaceIds(eni, NOWHERE))
                  .networkInterfaces()
                  .size();
            }),
        ids("An interface id that is none?", MALFORMED, s -> s.shown("eni-1").description()),
        ids(
            "A VPC id that is none?",
            MALFORMED,
            s -> done(s.ec2().describeVpcs(r -> r.vpcIds("x")))),
        ids(
            "A subnet id that is none?",
            MALFORMED,
            s -> done(s.ec2().describeSubnets(r -> r.subnetIds("subnet-xyz")))),
        ids(
            "An instance id that is none?",
            MALFORMED,
            s -> done(s.ec2().describeInstances(r -> r.instanceIds("i-xyz")))),
        ids(
            "A security group id that is none?",
            MALFORMED,
            s -> done(s.ec2().describeSecurityGroups(r -> r.groupIds("sg-xyz")))),
        ids(
            "An attachment id that is none?",
            MALFORMED,
            s -> done(s.ec2().detachNetworkInterface(r -> r.attachmentId("eni-attach-xyz")))),
        ids(
            "A route table described that does not exist?",
            "EC2 error codes, InvalidRouteTableID.NotFound",
            s -> done(s.ec2().describeRouteTables(r -> r.routeTableIds("rtb-0123456789abcdef0")))),
        ids(
            "An instance type described that does not exist?",
            "EC2 error codes, InvalidInstanceType",
            s -> done(s.ec2().describeInstanceTypes(r -> r.instanceTypesWithStrings("m5.huge")))));
  }

  private static DescribeNetworkInterfacesResponse page(Scene s, int most) {
    String subnet = s.subnet(BLOCK);
    IntStream.range(0, 8).forEach(i -> s.eni(subnet, r -> r.description("of the pages")));
    return s.ec2().describeNetworkInterfaces(r -> r.filters(ours(s)).maxResults(most));
  }

  private static Filter ours(Scene s) {
    return Filter.builder().name("owner-id").values(s.account()).build();
  }

  private static Object described(Scene s, String pattern) {
    String subnet = s.subnet(BLOCK);
    List.of("web-1", "web-22", "db").forEach(text -> s.eni(subnet, r -> r.description(text)));
    return s.shownBy("description", pattern).size();
  }

  private static String done(Object answer) {
    return answer == null ? "no answer" : "done";
  }

  private static Question paging(String text, String rule, Question.Ask ask) {
    return new Question("Pages", text, rule, ask);
  }

  private static Question filtering(String text, String rule, Question.Ask ask) {
    return new Question("Filters", text, rule, ask);
  }

  private static Question ids(String text, String rule, Question.Ask ask) {
    return new Question("Ids", text, rule, ask);
  }
}
