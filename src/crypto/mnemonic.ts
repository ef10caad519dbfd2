/** The BIP-39 mnemonic of 16 bytes of randomness: twelve English words. Throws on another length than BIP-39 allows. */
export async function mnemonicFrom(entropy: Uint8Array): Promise<string> {
  const [{ entropyToMnemonic }, { wordlist }] = await Promise.all([
    import('@scure/bip39'),
    import('@scure/bip39/wordlists/english.js'),
  ]);
  return entropyToMnemonic(Uint8Array.from(entropy), wordlist);
}
