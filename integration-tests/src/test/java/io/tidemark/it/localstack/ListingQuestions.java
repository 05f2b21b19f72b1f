package io.tidemark.it.localstack;

import static io.tidemark.it.localstack.SdkValues.filter;

import io.tidemark.it.localstack.Question.Topic;
import java.util.List;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.ec2.model.DescribeNetworkInterfacesResponse;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.NetworkInfo;

/** Pages, filters and ids of listings. */
final class ListingQuestions {
  private static final Topic PAGING = new Topic("Pages");
  private static final Topic FILTERING = new Topic("Filters");
  private static final Topic IDS = new Topic("Ids");
  private static final String PAGES = "DescribeNetworkInterfaces, MaxResults";
  private static final String FILTERS = "List and filter your resources (EC2 User Guide)";
  private static final String UNKNOWN = "EC2 error codes, InvalidNetworkInterfaceID.NotFound";
  private static final String MALFORMED = "EC2 error codes, Malformed";
  private static final String NOWHERE = "eni-0123456789abcdef0";

  private ListingQuestions() {}

  static List<Question> all() {
    return List.of(
        PAGING.asks(
            "How many of eight interfaces come on a page of five?",
            PAGES,
            s -> page(s, 5).networkInterfaces().size()),
        PAGING.asks(
            "How many on the page that the token leads to?",
            PAGES + " and NextToken",
            s -> {
              String token = page(s, 5).nextToken();
              return s.enis(r -> r.maxResults(5).filters(ours(s)).nextToken(token)).size();
            }),
        PAGING.does("A page of four?", PAGES + ": 5 to 1000", s -> page(s, 4)),
        PAGING.does("A page of 1,001?", PAGES + ": 5 to 1000", s -> page(s, 1001)),
        PAGING.does(
            "A page of what is named by ids?",
            PAGES + ": not together with ids",
            s -> {
              String eni = s.eni();
              s.enis(r -> r.networkInterfaceIds(eni).maxResults(5));
            }),
        PAGING.does(
            "A token that nobody gave?",
            PAGES + ": a token is what the answer before returned",
            s -> s.enis(r -> r.maxResults(5).nextToken("bogus"))),
        PAGING.asks(
            "How many of eight subnets come on a page of five?",
            "DescribeSubnets, MaxResults",
            s -> {
              IntStream.range(0, 8).forEach(i -> s.subnet("10.0." + i + ".0/24"));
              return s.ec2()
                  .describeSubnets(r -> r.filters(filter("vpc-id", s.vpc())).maxResults(5))
                  .subnets()
                  .size();
            }),
        PAGING.asks(
            "How many of eight security groups come on a page of five?",
            "DescribeSecurityGroups, MaxResults",
            s -> {
              IntStream.range(0, 7).forEach(i -> s.group("g" + i));
              return s.ec2()
                  .describeSecurityGroups(r -> r.filters(filter("vpc-id", s.vpc())).maxResults(5))
                  .securityGroups()
                  .size();
            }),
        PAGING.asks(
            "How many instance types come on a page of five?",
            "DescribeInstanceTypes, MaxResults",
            s -> s.ec2().describeInstanceTypes(r -> r.maxResults(5)).instanceTypes().size()),
        PAGING.asks(
            "A page of 101 instance types?",
            "DescribeInstanceTypes, MaxResults: 5 to 100",
            s -> s.ec2().describeInstanceTypes(r -> r.maxResults(101)).instanceTypes().size()),
        FILTERING.asks(
            "A filter that does not exist?",
            FILTERS,
            s -> s.shownBy("colour", "blue").size() + " found"),
        FILTERING.asks(
            "A filter without a value?",
            FILTERS,
            s -> {
              s.eni();
              return s.enis(
                          r ->
                              r.filters(
                                  filter("subnet-id", s.subnet()),
                                  Filter.builder().name("status").build()))
                      .size()
                  + " found";
            }),
        FILTERING.asks(
            "201 values of filters?",
            "EC2 error codes, FilterLimitExceeded: 200",
            s -> {
              List<String> many = IntStream.range(0, 201).mapToObj(i -> "v" + i).toList();
              return s.enis(r -> r.filters(Filter.builder().name("status").values(many).build()))
                      .size()
                  + " found";
            }),
        FILTERING.asks(
            "How many of three descriptions match `web-*`?",
            FILTERS + ": wildcards",
            s -> described(s, "web-*")),
        FILTERING.asks(
            "How many of three descriptions match `web-?`?",
            FILTERS + ": wildcards",
            s -> described(s, "web-?")),
        FILTERING.asks(
            "How many of three descriptions match `WEB-1`?",
            FILTERS + ": values are case-sensitive",
            s -> described(s, "WEB-1")),
        FILTERING.asks(
            "How many interfaces have both of two filters, and either of two values?",
            FILTERS,
            s -> {
              s.eni(r -> r.description("a"));
              s.eni(r -> r.description("b"));
              s.eni(r -> r.description("c"));
              return s.enis(
                      r ->
                          r.filters(
                              filter("subnet-id", s.subnet()),
                              Filter.builder().name("description").values("a", "b").build()))
                  .size();
            }),
        FILTERING.asks(
            "Which interfaces are attached?",
            "DescribeNetworkInterfaces, filter attachment.status",
            s -> {
              s.instance();
              return s.shownBy("attachment.status", "attached").size() + " found";
            }),
        FILTERING.asks(
            "Which interfaces are at device index 0?",
            "DescribeNetworkInterfaces, filter attachment.device-index",
            s -> {
              s.instance();
              return s.shownBy("attachment.device-index", "0").size() + " found";
            }),
        FILTERING.asks(
            "Is an interface found by a secondary address?",
            "DescribeNetworkInterfaces, filter addresses.private-ip-address",
            s -> {
              s.assign(
                  s.eni(r -> r.privateIpAddress("10.0.1.9")),
                  r -> r.privateIpAddresses("10.0.1.77"));
              return s.shownBy("addresses.private-ip-address", "10.0.1.77").size() == 1;
            }),
        IDS.asks(
            "An interface described that does not exist?",
            UNKNOWN,
            s -> s.shown(NOWHERE).description()),
        IDS.asks(
            "One described that exists and one that does not?",
            UNKNOWN + ": the whole call fails",
            s -> {
              String eni = s.eni();
              return s.enis(r -> r.networkInterfaceIds(eni, NOWHERE)).size();
            }),
        IDS.asks("An interface id that is none?", MALFORMED, s -> s.shown("eni-1").description()),
        IDS.does(
            "A VPC described that does not exist?",
            "EC2 error codes, InvalidVpcID.NotFound",
            s -> s.ec2().describeVpcs(r -> r.vpcIds("vpc-0123456789abcdef0"))),
        IDS.does(
            "An interface in a subnet that does not exist?",
            "EC2 error codes, InvalidSubnetID.NotFound",
            s -> s.eni("subnet-0123456789abcdef0")),
        IDS.does(
            "An instance described that does not exist?",
            "EC2 error codes, InvalidInstanceID.NotFound",
            s -> s.ec2().describeInstances(r -> r.instanceIds("i-0123456789abcdef0"))),
        IDS.does(
            "An attachment detached that does not exist?",
            "EC2 error codes, InvalidAttachmentID.NotFound",
            s -> s.detach("eni-attach-0123456789abcdef0")),
        IDS.asks(
            "How many interfaces and network cards does p5.48xlarge tell?",
            "DescribeInstanceTypes, networkInfo",
            s -> {
              NetworkInfo limits =
                  s.ec2()
                      .describeInstanceTypes(r -> r.instanceTypesWithStrings("p5.48xlarge"))
                      .instanceTypes()
                      .get(0)
                      .networkInfo();
              return limits.maximumNetworkInterfaces() + " and " + limits.networkCards().size();
            }),
        IDS.does(
            "A VPC id that is none?", MALFORMED, s -> s.ec2().describeVpcs(r -> r.vpcIds("x"))),
        IDS.does(
            "A subnet id that is none?",
            MALFORMED,
            s -> s.ec2().describeSubnets(r -> r.subnetIds("subnet-xyz"))),
        IDS.does(
            "An instance id that is none?",
            MALFORMED,
            s -> s.ec2().describeInstances(r -> r.instanceIds("i-xyz"))),
        IDS.does(
            "A security group id that is none?",
            MALFORMED,
            s -> s.ec2().describeSecurityGroups(r -> r.groupIds("sg-xyz"))),
        IDS.does(
            "An attachment id that is none?",
            MALFORMED,
            s -> s.ec2().detachNetworkInterface(r -> r.attachmentId("eni-attach-xyz"))),
        IDS.does(
            "A route table described that does not exist?",
            "EC2 error codes, InvalidRouteTableID.NotFound",
            s -> s.ec2().describeRouteTables(r -> r.routeTableIds("rtb-0123456789abcdef0"))),
        IDS.does(
            "An instance type described that does not exist?",
            "EC2 error codes, InvalidInstanceType",
            s -> s.ec2().describeInstanceTypes(r -> r.instanceTypesWithStrings("m5.huge"))));
  }

  private static DescribeNetworkInterfacesResponse page(Scene s, int most) {
    IntStream.range(0, 8).forEach(i -> s.eni(r -> r.description("of the pages")));
    return s.ec2().describeNetworkInterfaces(r -> r.filters(ours(s)).maxResults(most));
  }

  private static Filter ours(Scene s) {
    return Filter.builder().name("owner-id").values(s.account()).build();
  }

  private static Object described(Scene s, String pattern) {
    List.of("web-1", "web-22", "db").forEach(text -> s.eni(r -> r.description(text)));
    return s.shownBy("description", pattern).size();
  }
}
