package io.tidemark.provider.aws.ec2;

/** EC2 of one region as one or two accounts. Thread-safe. */
public interface Ec2Connection extends AutoCloseable {
  /** Whether {@link #accounts} has to ask for the account of the instances. */
  boolean asksForAccount();

  /**
   * The account of the instances; sends a request to STS.
   *
   * @throws Ec2Failure if there are no credentials, or STS does not respond
   */
  String accountId() throws Ec2Failure;

  /**
   * EC2 of the region; at most one request.
   *
   * @throws Ec2Failure when {@link #asksForAccount} and it was not told
   */
  Ec2Accounts accounts() throws Ec2Failure;

  @Override
  void close();
}
