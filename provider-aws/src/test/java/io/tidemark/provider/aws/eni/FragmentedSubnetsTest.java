package io.tidemark.provider.aws.eni;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rows of 10.4 over the strict EC2. It charges what EC2 charges: 17 addresses for an interface
 * with one prefix, 1 + n for one with n singles.
 */
@DisplayName("Prefixes where subnets are fragmented (provider-aws 2.4, 10.4)")
class FragmentedSubnetsTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          AWS-35 one fragmented subnet: two singles there, and so much less is free \
            | subnet only 10.0.4.0/22 for=pods; fragment only; node blocks subnets=for=pods; \
              remember; grow 2; in 1 only; singles 1 2; free only -3; quota only
          AWS-37 AWS-38 a healthy sibling with fewer free gives the prefix, three times \
            | subnet bad 10.0.4.0/22 for=pods; subnet good 10.0.2.0/23 for=pods; fragment bad; \
              node m5.xlarge blocks subnets=for=pods; hasFree bad 955; hasFree good 507; remember; \
              grow 2; in 1 good; blocks 1 1; delegated true; free bad 0; free good -17; \
              grow 2; in 2 good; blocks 2 1; delegated true; free bad 0; free good -34; \
              grow 2; in 3 good; blocks 3 1; delegated true; free bad 0; free good -51; quota good
          AWS-39 a node with a single, three creations of the roomy one: with prefixes, 3 x 17 \
            | subnet small 10.0.1.0/25 for=pods; subnet roomy 10.0.8.0/21 for=pods; \
              node m5.xlarge blocks subnets=for=pods; remember; single 0; sync; delegated true; \
              grow 2; singles 1 0; delegated true; grow 2; singles 2 0; delegated true; grow 2; \
              singles 3 0; free roomy -51; free small 0
          AWS-39 the reference's profile creates them without prefixes, 3 x 3 \
            | subnet small 10.0.1.0/25 for=pods; subnet roomy 10.0.8.0/21 for=pods; \
              node m5.xlarge blocks reference subnets=for=pods; remember; single 0; sync; \
              delegated false; grow 2; singles 1 2; delegated false; grow 2; singles 2 2; \
              delegated false; grow 2; singles 3 2; free roomy -9; free small 0
          AWS-40 no tags, the node's own subnet without a prefix: the sibling gives it \
            | subnet sibling 10.0.8.0/21; leaveFree home 16; fragment home; node blocks; remember; \
              grow 2; free sibling -17; free home 0; delegated true
          AWS-42 AWS-43 an attached interface in a fragmented subnet: a prefix and two singles \
            | subnet sibling 10.0.8.0/21; node blocks; allocate 2 Allocated; blocks 0 1; \
              fragment home; remember; allocate 2 Allocated 2; blocks 0 1; singles 0 2; \
              attached 18; free home -2; known 1; knows 0 18
          AWS-45 in the end: 16/0, then fragmented, 20/12 on one interface with four singles \
            | run 8/0/0/0 blocks; is 16/0; fragment home; 2m; use 12; is 20/12; interfaces 1; \
              blocks 0 1; singles 0 4
          T4 8.4 every rung below the first is counted, and calls in flight are reported \
            | subnet bad 10.0.4.0/22 for=pods; subnet other 10.0.2.0/23 for=pods; \
              node blocks subnets=for=pods; plan 20; fragment bad; creates; \
              metric ENI_IN_FLIGHT:bad 33; ends Allocated; in 1 other; \
              metric ENI_FALLBACK:onePrefix 1; metric ENI_FALLBACK:sibling 1; \
              metric ENI_FALLBACK:prefixes none; metric ENI_IN_FLIGHT:bad 0; \
              metric ENI_IN_FLIGHT:other 0
          """)
  void story(String what, String story) {
    EniStory.run(new EniWorld(), what, story);
  }
}
