package io.tidemark.provider.aws.eni;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A creation that meets what no read shows yet (provider-aws 2.5, M6)")
class RepeatedCreationTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          after a lost answer the very same request is sent, with its time of creation \
            | node; loseAnswer CreateNetworkInterface; create 4 3s Unknown; answer; lag 20s; 3s; \
              grow 4; lag 0s; interfaces 2; unattached 0
          an index taken by what no read shows: nothing is left, and nothing is learned \
            | node; park theirs owner=them; 1m; lag 20s; attach theirs 1; \
              create 4 !Allocated !LimitReached; lag 0s; interfaces 2; unattached 0; resync; \
              create 4 Allocated; device 2 2
          ours is attached to another instance meanwhile: that one keeps it, we get another \
            | node; launch node2; delay AttachNetworkInterface 3s; creates 4; 1s; \
              lastly AttachNetworkInterface; unattachedIs ours; attach ours 1 node2; ends Allocated; \
              interfaces 2 node2; interfaces 2; knownAsThere; unattached 0
          somebody takes the index, and the other places are reserved: ours goes \
            | with reservedInterfaces=1; node; park theirs owner=them; \
              delay AttachNetworkInterface 3s; creates 4; 1s; lastly AttachNetworkInterface; \
              attach theirs 1; ends !Allocated; interfaces 2; unattached 0
          in another situation than that of a lost request a new request is sent \
            | node; lose CreateNetworkInterface; create 4 3s Unknown; answer; 2m; \
              park theirs owner=them; attach theirs 1; pass 1; grow 2; singles 2 2
          when EC2 refuses the lost request the next smaller one is sent, not the same again \
            | node blocks; lose CreateNetworkInterface; create 4 3s Unknown; answer; 2m; \
              fragment home; create 4 Allocated; blocks 1 0; singles 1 4
          after the region's quota was met no node gets an interface for five minutes \
            | node; node node2; refuse CreateNetworkInterface NetworkInterfaceLimitExceeded; \
              create 4 !Allocated; serve; afresh; create 4 Refused node2; quiet; 5m; \
              create 4 Allocated node2
          """)
  void story(String what, String story) {
    EniStory.run(new EniWorld(), what, story);
  }
}
