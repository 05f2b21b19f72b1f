package io.tidemark.provider.aws.eni;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("any-jdk")
@DisplayName("What is done only when somebody asks for it (provider-aws 12, 16)")
class EniOptionsTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          manage-foreign-enis: what we did not make takes its place and serves pods \
            | launch; park theirs owner=them; attach theirs 1; node; known 2; slots 1; grow 4; 5s; \
              known 3; singles 2 4
          manage-foreign-enis=false: it takes its place and serves no pods \
            | with manageForeign=false; launch; park theirs owner=them; attach theirs 1; node; \
              known 1; slots 1; grow 4; 5s; known 2; singles 2 4
          reconcile-security-groups: ours follow the tagged groups, at most every five minutes \
            | with reconcileGroups; group first for=pods; node groups=for=pods; grow 4; 5s; \
              remember; group second for=pods; pass 12; groups 1 first second; groups 0 own; \
              more ModifyNetworkInterfaceAttribute 1; pass 12; \
              more ModifyNetworkInterfaceAttribute 1
          reconcile-security-groups off, groups stay \
            | group first for=pods; node groups=for=pods; grow 4; 5s; group second for=pods; \
              pass 12; groups 1 first
          reconcile-security-groups: tags that match nothing change none \
            | with reconcileGroups; group given for=pods; node groups=for=pods; grow 4; 5s; \
              remember; mark given for=nobody; pass 12; groups 1 given; \
              more ModifyNetworkInterfaceAttribute 0
          retire-untagged-subnets: no more for ours in a subnet without its tag; surplus first \
            | with retireSubnets subnetTags=tier=pods; subnet old 10.0.1.0/24 tier=pods; node; \
              grow 4; 5s; in 1 old; allocate 9 Allocated; mark old tier=none; \
              subnet fresh 10.0.2.0/24 tier=pods; pass 2; fills -; places 1; empties 3 1; \
              empties 9 1
          retire-untagged-subnets off: it is filled, and the fullest gives surplus \
            | with subnetTags=tier=pods; subnet old 10.0.1.0/24 tier=pods; node; grow 4; 5s; \
              in 1 old; allocate 9 Allocated; mark old tier=none; \
              subnet fresh 10.0.2.0/24 tier=pods; pass 2; fills 1; places 1; empties 3 1; \
              empties 9 0
          copy-conntrack: a new interface remembers as long as the instance's own \
            | with copyTracking; forgets 350; node; grow 4; 5s; tracking 0 350; tracking 1 350
          copy-conntrack off: a new interface remembers as long as EC2's defaults say \
            | forgets 350; node; grow 4; 5s; tracking 0 350; tracking 1 default
          copy-conntrack: an instance that names nothing leaves EC2's defaults \
            | with copyTracking; node; grow 4; 5s; tracking 1 default
          """)
  void story(String what, String story) {
    EniStory.run(new EniWorld(), what, story);
  }
}
