/**
 * The fixed lists of a sandbox: invented UMA providers, well-known custodians, and the banks that payouts can reach.
 */

export interface UmaProvider {
  readonly name: string;
  readonly domain: string;
  readonly regions: readonly string[];
  readonly currencies: readonly string[];
  readonly lei: string;
  /** True if this platform allows the provider; the others are shown as blocked. */
  readonly allowed: boolean;
}

const provider = (
  name: string,
  domain: string,
  regions: string,
  currencies: string,
  lei: string,
  allowed = true,
): UmaProvider => ({ name, domain, regions: regions.split(' '), currencies: currencies.split(' '), lei, allowed });

/** The UMA providers, oldest first. */
export const UMA_PROVIDERS: readonly UmaProvider[] = [
  provider('Cedar Wallet', 'cedar.example', 'US CA', 'USD CAD USDC', '549300CEDAR00WALLET1'),
  provider('Banco Aurora', 'aurora.example', 'BR', 'BRL', '549300AURORABANCO012'),
  provider('Nube Pagos', 'nube.example', 'MX CO', 'MXN COP', '549300NUBEPAGOS00023'),
  provider('Harbour Money', 'harbour.example', 'GB', 'GBP EUR', '213800HARBOURMONEY34'),
  provider('Rhein Direkt', 'rhein.example', 'DE AT', 'EUR', '529900RHEINDIREKT045'),
  provider('Monsoon Pay', 'monsoon.example', 'IN', 'INR', '335800MONSOONPAY0056'),
  provider('Bayani Cash', 'bayani.example', 'PH', 'PHP', '549300BAYANICASH0067'),
  provider('Lagos Switch', 'lagos-switch.example', 'NG GH', 'NGN GHS', '549300LAGOSSWITCH078'),
  provider('Savanna Mobile', 'savanna.example', 'KE TZ UG', 'KES TZS UGX', '549300SAVANNAMOB0089'),
  provider('Fjord Konto', 'fjord.example', 'DK', 'DKK EUR', '549300FJORDKONTO0090'),
  provider('Merlion Digital', 'merlion.example', 'SG MY', 'SGD MYR USD', '549300MERLIONDIG0101'),
  provider('Kite Exchange', 'kite.example', 'US GB SG', 'USD BTC USDC USDT', '549300KITEEXCHANGE12'),
  provider('Atlas Remit', 'atlas.example', 'US MX GT JM HT', 'USD MXN GTQ JMD HTG', '549300ATLASREMIT0123'),
  provider('Onyx Custody', 'onyx.example', 'AE', 'AED USD', '549300ONYXCUSTODY134', false),
  provider('Zebra Vault', 'zebra.example', 'ZA BW', 'ZAR BWP', '549300ZEBRAVAULT0145', false),
];

/** The custodians that may be named as the host of a counterparty's wallet, by name. */
export const VASPS: readonly { readonly vaspName: string; readonly url?: string }[] = [
  ['Binance', 'https://www.binance.com'],
  ['Bitbank', 'https://bitbank.cc'],
  ['bitFlyer', 'https://bitflyer.com'],
  ['Bitfinex', 'https://www.bitfinex.com'],
  ['Bithumb', 'https://www.bithumb.com'],
  ['Bitpanda', 'https://www.bitpanda.com'],
  ['Bitso', 'https://bitso.com'],
  ['Bitstamp', 'https://www.bitstamp.net'],
  ['Bitvavo', 'https://bitvavo.com'],
  ['Bybit', 'https://www.bybit.com'],
  ['Coinbase', 'https://www.coinbase.com'],
  ['Coincheck', 'https://coincheck.com'],
  ['Coins.ph', 'https://coins.ph'],
  ['Crypto.com', 'https://crypto.com'],
  ['Gemini', 'https://www.gemini.com'],
  ['HashKey Exchange', 'https://www.hashkey.com'],
  ['Kraken', 'https://www.kraken.com'],
  ['KuCoin', 'https://www.kucoin.com'],
  ['Luno', 'https://www.luno.com'],
  ['Mercado Bitcoin', 'https://www.mercadobitcoin.com.br'],
  ['OKX', 'https://www.okx.com'],
  ['Paxos', 'https://paxos.com'],
  ['Robinhood Crypto', 'https://robinhood.com'],
  ['Upbit', 'https://upbit.com'],
  ['Wirex', 'https://wirexapp.com'],
  ['Yellow Card', 'https://yellowcard.io'],
  ['Sandbox Custodian'],
].map(([vaspName = '', url]) => (url === undefined ? { vaspName } : { vaspName, url }));

/** A destination of payouts in one currency. External accounts refer to it by `bankName`. */
export interface Bank {
  readonly bankName: string;
  readonly displayName: string;
  readonly country: string;
  readonly currency: string;
}

/** The banks, by `country currency`. `name=display name` for those that show people another name. */
const PLACES: Readonly<Record<string, string>> = {
  'PH PHP':
    'BDO Unibank|BPI=Bank of the Philippine Islands|Metrobank|Land Bank=Land Bank of the Philippines|PNB=Philippine National Bank|Security Bank|UnionBank=UnionBank of the Philippines|RCBC=Rizal Commercial Banking Corporation|Chinabank=China Banking Corporation|GCash|Maya',
  'NG NGN':
    'Access Bank|First Bank=First Bank of Nigeria|GTBank=Guaranty Trust Bank|UBA=United Bank for Africa|Zenith Bank|Fidelity Bank|Ecobank Nigeria|Kuda=Kuda Microfinance Bank|OPay|PalmPay',
  'KE KES':
    'M-PESA|Equity Bank=Equity Bank Kenya|KCB=KCB Bank Kenya|Co-operative Bank=Co-operative Bank of Kenya|Airtel Money Kenya',
  'GH GHS': 'MTN Mobile Money|GCB Bank|Ecobank Ghana|Fidelity Bank Ghana|Telecel Cash',
  'TZ TZS': 'CRDB Bank|NMB Bank|Vodacom M-Pesa|Airtel Money Tanzania|Mixx by Yas',
  'UG UGX': 'Stanbic Bank Uganda|Centenary Bank|MTN Mobile Money Uganda|Airtel Money Uganda',
  'RW RWF': 'Bank of Kigali|Equity Bank Rwanda|MTN Mobile Money Rwanda|Airtel Money Rwanda',
  'ZM ZMW': 'Zanaco|Stanbic Bank Zambia|MTN Mobile Money Zambia|Airtel Money Zambia|Zamtel Kwacha',
  'MW MWK': 'National Bank of Malawi|Standard Bank Malawi|TNM Mpamba|Airtel Money Malawi',
  'BW BWP': 'First National Bank Botswana|Absa Bank Botswana|Orange Money Botswana',
  'ZA ZAR': 'Absa|Capitec Bank|FNB=First National Bank|Nedbank|Standard Bank',
  'SN XOF': 'Wave Senegal|Orange Money Senegal|Ecobank Senegal',
  'CI XOF': 'Orange Money Ivory Coast|MTN Mobile Money Ivory Coast|Wave Ivory Coast',
  'BJ XOF': 'MTN Mobile Money Benin|Moov Money Benin',
  'TG XOF': 'Moov Money Togo|Mixx Togo',
  'CM XAF': 'MTN Mobile Money Cameroon|Orange Money Cameroon|Afriland First Bank',
  'CG XAF': 'MTN Mobile Money Congo|Airtel Money Congo',
  'IN INR': 'State Bank of India|HDFC Bank|ICICI Bank|Axis Bank|Kotak Mahindra Bank|Punjab National Bank',
  'BD BDT': 'bKash|Nagad|BRAC Bank|Dutch-Bangla Bank|Islami Bank=Islami Bank Bangladesh',
  'PK PKR': 'HBL=Habib Bank Limited|MCB Bank|UBL=United Bank Limited|Meezan Bank|Easypaisa|JazzCash',
  'ID IDR': 'BCA=Bank Central Asia|BRI=Bank Rakyat Indonesia|Bank Mandiri|BNI=Bank Negara Indonesia|OVO|GoPay',
  'MY MYR': 'Maybank|CIMB Bank|Public Bank|RHB Bank|Hong Leong Bank',
  'TH THB': 'Bangkok Bank|Kasikornbank|Krungthai Bank|SCB=Siam Commercial Bank',
  'VN VND': 'Vietcombank|VietinBank|BIDV|Techcombank|MoMo',
  'SG SGD': 'DBS Bank|OCBC Bank|UOB=United Overseas Bank',
  'HK HKD': 'HSBC Hong Kong|Hang Seng Bank|Bank of China (Hong Kong)|Standard Chartered Hong Kong',
  'CN CNY':
    'ICBC=Industrial and Commercial Bank of China|China Construction Bank|Bank of China|Agricultural Bank of China|Alipay',
  'AE AED': 'Emirates NBD|First Abu Dhabi Bank|ADCB=Abu Dhabi Commercial Bank|Mashreq',
  'EG EGP': 'National Bank of Egypt|Banque Misr|CIB=Commercial International Bank|Vodafone Cash',
  'MX MXN': 'BBVA México|Banorte|Santander México|Citibanamex|HSBC México',
  'BR BRL': 'Itaú Unibanco|Bradesco|Banco do Brasil|Caixa Econômica Federal|Nubank',
  'CO COP': 'Bancolombia|Davivienda|Banco de Bogotá|Nequi',
  'AR ARS': 'Banco de la Nación Argentina|Banco Galicia|BBVA Argentina|Mercado Pago',
  'GT GTQ': 'Banco Industrial|Banrural|BAC Credomatic Guatemala',
  'JM JMD': 'National Commercial Bank Jamaica|Scotiabank Jamaica|JN Bank',
  'HT HTG': 'Unibank|Sogebank|MonCash',
  'US USD': 'JPMorgan Chase|Bank of America|Wells Fargo|Citibank|U.S. Bank',
  'CA CAD': 'RBC=Royal Bank of Canada|TD Canada Trust|Scotiabank|BMO=Bank of Montreal|CIBC',
  'GB GBP': 'Barclays|HSBC UK|Lloyds Bank|NatWest|Monzo',
  'DE EUR': 'Deutsche Bank|Commerzbank|N26|ING Deutschland',
  'FR EUR': 'BNP Paribas|Crédit Agricole|Société Générale',
  'DK DKK': 'Danske Bank|Nordea Danmark|Jyske Bank',
};

/** Every bank, by country and name. */
export const BANKS: readonly Bank[] = Object.entries(PLACES).flatMap(([place, names]) => {
  const [country = '', currency = ''] = place.split(' ');
  return names.split('|').map((text) => {
    const [bankName = '', displayName = bankName] = text.split('=');
    return { bankName, displayName, country, currency };
  });
});
